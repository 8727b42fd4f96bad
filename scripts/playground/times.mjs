// The time from a key stroke to the picture, of a document of L02's size.

import { example } from "./editing.mjs";

/** Most milliseconds from a key stroke to the picture, of half of the key strokes. */
const LIMIT = 16;

export async function times({ open, check }) {
  // A small window, because a processor draws the picture here.
  const page = await open("", { viewport: { width: 1000, height: 500 } });
  await example(page, 4);
  await page.evaluate(() => {
    const { editor, picture: { opened: { viewer } } } = rigyPlayground;
    const at = editor.text.indexOf("radius: 0.") + "radius: 0.".length;
    editor.goTo(at, at);
    window.strokes = [];
    let stroke = null;
    const parts = [];
    window.parts = { edited: [], judged: [], drawn: [] };
    addEventListener("keydown", (event) => { stroke = event.timeStamp; parts.length = 0; }, true);
    const { judging } = rigyPlayground;
    const { judge, onresult } = judging;
    judging.judge = function (source) { parts.push(performance.now()); return judge.call(this, source); };
    judging.onresult = (...result) => { parts.push(performance.now()); onresult(...result); };
    const draw = viewer.drawNow;
    viewer.drawNow = function () {
      draw.call(this);
      if (stroke === null || parts.length < 2) return;
      const now = performance.now();
      window.strokes.push(now - stroke);
      window.parts.edited.push(parts[0] - stroke);
      window.parts.judged.push(parts[1] - parts[0]);
      window.parts.drawn.push(now - parts[1]);
      stroke = null;
    };
  });
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press(i % 2 ? "Backspace" : "3");
    // Asking the page whether it is done would take its time.
    await page.waitForTimeout(80 + (i % 7));
  }
  check("key strokes without a picture", await page.evaluate(() => window.strokes.length) >= 190);
  const { strokes, parts, vertices } = await page.evaluate(() => ({ strokes: window.strokes, parts: window.parts, vertices: rigyPlayground.picture.opened.data.surfaces.reduce((sum, { vertices }) => sum + vertices, 0) }));
  strokes.sort((a, b) => a - b);
  const at = (part) => strokes[Math.floor(part * (strokes.length - 1))].toFixed(1);
  console.log(`  key stroke to picture, ${vertices} vertices: half within ${at(0.5)} ms, nine tenths within ${at(0.9)} ms, the slowest ${at(1)} ms`);
  const half = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1].toFixed(1);
  console.log(`  of these, until the editor has the character ${half(parts.edited)} ms, until it is compiled ${half(parts.judged)} ms, until it is drawn ${half(parts.drawn)} ms`);
  check(`half of the key strokes take longer than ${LIMIT} ms`, Number(at(0.5)) <= LIMIT);
  await page.context().close();
}
