"""A study on a cluster: what the job files run. Ten million battles, streamed to parts, gone on with if it is sent again."""

import os

from tricorne import lab

lab.run(
    os.environ.get("SCENARIO", "crossing-the-veld"),
    os.environ.get("PLAYERS", "subaltern,random").split(","),
    battles=int(os.environ.get("BATTLES", "10000000")),
    on="ray",
    parts=os.environ["PARTS"],
    batch=10_000,
    resume=True,
    progress=True,
)
