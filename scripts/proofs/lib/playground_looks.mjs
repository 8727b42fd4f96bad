// Accessibility, narrow windows, keyboard, and pictures to look at.
import { join } from "node:path";
import { checkAccessible, checkWidth } from "./browser.mjs";

export async function looks({ open, check, pictures, failures }) {
  for (const [width, height] of [[1500, 900], [1024, 768], [390, 844]]) {
    for (const colorScheme of ["light", "dark"]) {
      const label = `${width}-${colorScheme}`;
      const page = await open("", { viewport: { width, height }, colorScheme, bypassCSP: true });
      await page.evaluate(() => { const { editor } = rigyPlayground; const at = editor.text.indexOf("capsule"); editor.view.dispatch({ changes: { from: at, to: at + 7, insert: "capsul" } }); });
      await page.waitForTimeout(500);
      await page.click(".problems button.code");
      await page.waitForTimeout(200);
      await page.screenshot({ path: join(pictures, `${label}.png`), fullPage: width < 500 });
      await checkWidth(page, label, failures);
      await checkAccessible(page, label, failures);
      await page.context().close();
    }
  }
  const page = await open();
  await page.focus("#bar a");
  const reached = [];
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => { const e = document.activeElement; return e.classList.contains("cm-content") ? "editor" : e.getAttribute("aria-label") ?? (e.textContent || e.name); });
    reached.push(name.trim());
    if (name === "editor") await page.keyboard.press("Escape");
  }
  for (const wanted of ["Documents", "Open…", "Save GLB", "Copy link", "editor", "lowered"]) check(`keyboard: ${wanted} is not reached: ${reached}`, reached.some((name) => name.startsWith(wanted)));
  await page.context().close();
}
