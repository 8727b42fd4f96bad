// Takes the book's pictures of pages: `node screenshots.mjs PAGES PICTURES`, both of them folders.
import { join } from "node:path";
import { launch, serve } from "./browser.mjs";

const [folder, pictures] = process.argv.slice(2);
const ADDRESSES = {
  viewer: "fish.glb.html#clip=2&t=0.5&left=lbs&right=dqs&split=0.46",
  difference: "difference.html",
  report: "report.html#view=sheet",
  playground: "playground/",
};
const server = await serve(folder);
const browser = await launch();
for (const [name, address] of Object.entries(ADDRESSES)) {
  const page = await browser.newPage({ viewport: { width: 960, height: 560 }, colorScheme: "light" });
  await page.goto(`${server.address}${address}`, { waitUntil: "networkidle" });
  await page.waitForTimeout(8000); // the playground draws once its module has been compiled
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}
await browser.close();
server.close();
