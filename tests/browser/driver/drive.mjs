// Drives Chromium over a page of a file, by a plan: steps in, what each of them saw out.
//
// node drive.mjs FOLDER_WITH_NODE_MODULES CHROMIUM < plan.json > seen.json
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, executablePath] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { url, libraries, steps } = JSON.parse(readFileSync(0, "utf8"));

const env = { ...process.env, LD_LIBRARY_PATH: [...libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(":") };
const browser = await chromium.launch({ executablePath, env, args: ["--no-sandbox"] });
const page = await browser.newPage();
const said = [];
const asked = [];
page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
page.on("pageerror", (error) => said.push(`error: ${error.message}`));
page.on("dialog", (dialog) => { said.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
page.on("request", (request) => asked.push(request.url()));

const DOES = {
  size: ([width, height]) => page.setViewportSize({ width, height }),
  scheme: (colorScheme) => page.emulateMedia({ colorScheme, reducedMotion: "reduce" }),
  open: async (hash) => {
    const started = Date.now();
    await page.goto("about:blank");
    await page.goto(url + hash);
    return Date.now() - started;
  },
  press: (key) => page.keyboard.press(key),
  type: (text) => page.keyboard.type(text),
  click: (selector) => page.click(selector),
  see: (expression) => page.evaluate(expression),
  picture: (path) => page.screenshot({ path }).then(() => null),
  axe: async () => {
    await page.evaluate(axe);
    const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations", "incomplete"] }));
    return found.violations.map(({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.slice(0, 3).map((each) => each.target.join(" ")).join("; ")})`);
  },
};

const seen = [];
for (const [step, value] of steps) seen.push((await DOES[step](value)) ?? null);
await browser.close();
process.stdout.write(JSON.stringify({ seen, said, asked }));
