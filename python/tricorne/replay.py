"""A battle that can be scrubbed through in a notebook."""

from __future__ import annotations

import base64
import html

from ._tricorne import Battle

# One image shows at a time; the slider says which. Nothing is fetched and nothing is named globally, so that several
# replays live on one page.
_SHOW = (
    "const box=this.closest('.tricorne-replay');"
    "box.querySelectorAll('figure').forEach((f,n)=>f.hidden=n!=this.value)"
)


class Replay:
    """Pictures of a battle so far, evenly spread, as a seat (or a spectator) sees them."""

    def __init__(
        self, battle: Battle, seat: int | None = None, most: int = 40, width: int = 800, dark: bool = False
    ) -> None:
        self.frames: list[tuple[int, str, str]] = battle.film(seat, most, width, dark)
        self.width = width

    def __len__(self) -> int:
        return len(self.frames)

    def _repr_html_(self) -> str:
        figures = []
        for n, (actions, svg, caption) in enumerate(self.frames):
            # As an image each picture keeps the names inside it to itself.
            source = base64.b64encode(svg.encode()).decode()
            hidden = "" if n == 0 else " hidden"
            words = f"after {actions} actions" + (f": {caption}" if caption else "")
            figures.append(
                f'<figure style="margin:0"{hidden}><img width="{self.width}" alt="{html.escape(words, quote=True)}" '
                f'src="data:image/svg+xml;base64,{source}"><figcaption>{html.escape(words)}</figcaption></figure>'
            )
        slider = (
            f'<input type="range" aria-label="moment of the battle" min="0" max="{len(self.frames) - 1}" value="0" '
            f'style="width:{self.width}px" oninput="{html.escape(_SHOW, quote=True)}">'
        )
        return f'<div class="tricorne-replay">{slider}{"".join(figures)}</div>'
