// After the battle, and what goes over the wire on the way there.

import { begin, expect, seated, sound, test } from "./harness.mjs";

const bordj = [/Men Who Would Be Kings/, /Bordj/];

test("after the battle: a dispatch to share, with picture, film, losses, luck and a card for the link", async ({ open, base }) => {
  const page = await open("/");
  await begin(page, ...bordj, ["program:random", "program:random"]);
  await page.getByRole("link", { name: "The dispatch" }).click();
  await page.waitForURL(/\/after\//);
  const id = /after\/(\w+)/.exec(page.url())[1];
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Bordj/i);
  // The picture is there, and so is the film once it is asked for.
  const drawn = (of) => expect.poll(() => page.locator(of).evaluate((img) => img.complete && img.naturalWidth)).toBeGreaterThan(300);
  await drawn(".picture img");
  await page.locator("[data-film]").click();
  await drawn(".film img");
  // What was lost is what the replay says was lost.
  const replay = await (await fetch(`${base}/api/games/${id}/replay`)).json();
  const last = replay.moments.at(-1);
  for (const [i, lost] of last.lost.entries()) {
    const rows = page.locator("table").nth(i).locator("tbody tr td:nth-child(2)");
    const sum = async () => (await rows.allTextContents()).map(Number).reduce((a, b) => a + b, 0);
    await expect.poll(sum, "the table of losses adds up").toBe(lost);
  }
  // Both sides' luck, within its bounds.
  for (const side of [0, 1]) {
    const meter = page.locator(`[data-luck='${side}'] [role=meter]`);
    await expect(meter).toHaveAttribute("aria-valuenow", /\d/);
    const share = Number(await meter.getAttribute("aria-valuenow"));
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(100);
  }
  await expect.poll(() => page.locator(".columns section").count(), "a paragraph a turn").toBeGreaterThan(2);
  await sound(page, "after the battle");
  // Where the link is posted, a card: title, sentence, picture.
  const head = await (await fetch(`${base}/after/${id}`)).text();
  expect(head).toMatch(/<meta property="og:title" content="[^"]*Bordj[^"]*"/);
  const image = /<meta property="og:image" content="([^"]*)"/.exec(head)[1];
  const card = await fetch(image);
  expect(card.headers.get("content-type")).toBe("image/png");
  expect((await card.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
  // On paper there are no buttons.
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".act")).toBeHidden();
  await expect(page.locator(".story")).toBeVisible();
});

test("light on the wire: files, answers and live messages are packed", async ({ open }) => {
  const page = await open("/");
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  const kinds = [];
  client.on("Network.loadingFinished", (e) => {
    bytes += e.encodedDataLength;
  });
  client.on("Network.responseReceived", ({ response }) =>
    kinds.push([new URL(response.url).pathname, response.mimeType, response.headers["content-encoding"] ?? "", Number(response.headers["content-length"] ?? 0)]),
  );
  await page.goto("/");
  await page.locator("[data-first]").first().waitFor();
  const plain = kinds.filter(([, mime, packed, long]) => /javascript|css|json|svg|html/.test(mime) && !packed && long >= 1024);
  expect(plain, "all text of any length is packed").toEqual([]);
  console.log(`        front page: ${(bytes / 1000).toFixed(0)} kB`);
  expect(bytes, "the front page is light").toBeLessThan(300_000);
  // At the table: what each action brings, as it comes in.
  const frames = [];
  client.on("Network.webSocketFrameReceived", ({ response }) =>
    frames.push({ opcode: response.opcode, size: response.opcode === 2 ? Math.floor((response.payloadData.length * 3) / 4) : response.payloadData.length }),
  );
  await begin(page, /^All the King/, /Walled Farm/, ["me", "program:random"]);
  await seated(page);
  await page.locator(".board[data-ready=true]").waitFor();
  await expect.poll(() => frames.some((f) => f.opcode === 2), "long messages come packed").toBe(true);
  expect(Math.max(...frames.filter((f) => f.opcode === 1).map((f) => f.size)), "no long message comes plain").toBeLessThan(1024);
});

test("a replay's first moment is asked for while the page's own code is on its way, and once", async ({ open }) => {
  const page = await open("/");
  await begin(page, ...bordj, ["program:random", "program:random"]);
  await page.getByRole("link", { name: "Replay" }).waitFor();
  const id = /game\/(\w+)/.exec(page.url())[1];
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
  await page.goto(`/replay/${id}`);
  await page.locator("img.picture").first().waitFor();
  for (const path of [`/api/games/${id}/replay`, `/api/games/${id}/view?n=0`, `/api/games/${id}/picture.svg?n=0&ground=true&light=light`, "/api/about"]) {
    await expect(page.locator(`link[rel=preload][href='${path}']`), path).toBeAttached();
    expect(asked.filter((a) => a === path).length, `${path}, in ${JSON.stringify(asked)}`).toBe(1);
  }
});
