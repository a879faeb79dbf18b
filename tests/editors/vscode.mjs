// Tries the packaged extension in a real Visual Studio Code, in Chromium:
//     ENDSTEP=… VSIX=… CHROMIUM=… node --test vscode.mjs
// code-server brings the server and the page of the editor; they go without its native modules, so that there is no
// terminal. What fails leaves a picture in the folder that SHOTS names.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = dirname(fileURLToPath(import.meta.url));
const { ENDSTEP, VSIX, CHROMIUM, SHOTS } = process.env;
assert.ok(ENDSTEP && VSIX && CHROMIUM, "ENDSTEP, VSIX and CHROMIUM say where these are");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SERVER = join(HERE, "node_modules/code-server/lib/vscode/out/server-main.js");
// So long anything may take on a busy machine.
const PATIENCE = 60_000;

const work = realpathSync(mkdtempSync(join(tmpdir(), "endstep-vscode-")));
const folder = join(work, "game");
const file = join(folder, "duel.endstep");
const flags = ["--accept-server-license-terms", "--telemetry-level", "off"];
flags.push("--server-data-dir", join(work, "data"), "--extensions-dir", join(work, "extensions"));
const settings = {
  "endstep.path": ENDSTEP,
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Light Modern",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "editor.minimap.enabled": false,
};

let server;
let browser;
let page;
let address;

function set(more) {
  mkdirSync(join(work, "data/data/User"), { recursive: true });
  writeFileSync(join(work, "data/data/User/settings.json"), JSON.stringify({ ...settings, ...more }));
}

before(async () => {
  mkdirSync(folder);
  copyFileSync(join(HERE, "duel.endstep"), file);
  set({});
  const installed = spawnSync(process.execPath, [SERVER, ...flags, "--install-extension", VSIX], { encoding: "utf8" });
  assert.match(installed.stdout, /was successfully installed/, installed.stdout + installed.stderr);
  const args = [SERVER, ...flags, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"];
  server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, ENDSTEP_NO_CACHE: "1" } });
  const port = await new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (data) => {
      said += data;
      const found = /listening on (\d+)/.exec(said);
      if (found) {
        resolve(found[1]);
      }
    });
    server.on("exit", () => reject(new Error(`the editor's server has ended: ${said}`)));
  });
  // A name, since pages inside of the page need a secure origin.
  address = `http://localhost:${port}/?folder=${encodeURIComponent(folder)}`;
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  await load();
});

after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(work, { recursive: true, force: true });
});

// Opens the editor anew, and the specification in it.
async function load() {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1500, height: 1000 } });
  page.setDefaultTimeout(PATIENCE);
  await page.goto(address);
  await page.locator(".explorer-folders-view").getByText("duel.endstep").dblclick();
}

// A test that leaves a picture if it fails.
function tried(name, run) {
  test(name, { timeout: 3 * PATIENCE }, async () => {
    try {
      await run();
    } catch (why) {
      if (SHOTS) {
        mkdirSync(SHOTS, { recursive: true });
        await page?.screenshot({ path: join(SHOTS, `${name.replaceAll(/\W+/g, "-")}.png`) });
      }
      throw why;
    }
  });
}

const lens = (title) => page.locator(".codelens-decoration a", { hasText: title });
const view = () => page.locator(".pane", { has: page.locator('.pane-header[aria-label^="Endstep findings"]') });
const entry = (title) => view().locator(".monaco-list-row", { hasText: title });
const note = (text) => page.locator(".notifications-toasts .notification-list-item", { hasText: text });

// Waits until something is so.
async function until(what, is) {
  const end = Date.now() + PATIENCE;
  let last;
  while (Date.now() < end) {
    last = await is();
    if (last) {
      return last;
    }
    await page.waitForTimeout(100);
  }
  assert.fail(`it never came to this: ${what}`);
}

// The inner page of the player.
async function player() {
  return until("there is a player", async () => {
    for (const frame of page.frames()) {
      if ((await frame.locator("#player h1").count().catch(() => 0)) > 0) {
        return frame;
      }
    }
    return null;
  });
}

async function axe(frame) {
  await frame.evaluate(AXE);
  const results = await frame.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], preload: false }));
  return results.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes[0]?.html}: ${one.nodes[0]?.failureSummary}`);
}

// The line on which the text has the mark of a run, as far as it is seen.
const marked = () =>
  page.evaluate(() => {
    const marks = [...document.querySelectorAll(".view-overlays > div")].filter((one) =>
      [...one.children].some((child) => child.className.includes("ced-")),
    );
    const lines = [...document.querySelectorAll(".view-lines > .view-line")];
    const top = (one) => Math.round(one.getBoundingClientRect().top);
    return marks.map((mark) => lines.find((line) => top(line) === top(mark))?.textContent.replaceAll("\u00a0", " ").trim());
  });

tried("what is found stands above its line, and in the view of findings", async () => {
  await lens("Show F0610").waitFor();
  await lens("refuted · check").waitFor();
  const header = view().locator(".pane-header");
  if ((await header.getAttribute("aria-expanded")) === "false") {
    await header.click();
  }
  await entry("F0610").waitFor();
  assert.equal(await entry("F0201").count(), 2);
  assert.equal(await entry("duel.endstep").count(), 1);
  assert.match(await entry("F0610").innerText(), /F0610 line 9\s*a claim of the document is not true/);
  await entry("line 16").click();
  await page.getByText(/Ln 16, Col 7/).waitFor();
});

tried("the player steps through the runs by keys, and the text follows", async () => {
  await lens("Show F0610").click();
  const frame = await player();
  const runs = frame.locator("section.run");
  assert.equal(await runs.count(), 2);
  await until("the text shows the finding", async () => (await marked()).includes("claim any_order: order irrelevant in fight.blows"));
  assert.equal(await frame.locator(".changed").count(), 0);
  // No click: the player has the focus.
  await until("the right arrow steps on", async () => {
    await page.keyboard.press("ArrowRight");
    return (await frame.locator("output").innerText()) !== "Step 0 of 6";
  });
  await page.keyboard.press("Home");
  await frame.getByText("Step 0 of 6").waitFor();
  for (let at = 1; at <= 4; at += 1) {
    await page.keyboard.press("ArrowRight");
    await frame.getByText(`Step ${at} of 6`).waitFor();
  }
  assert.match(await runs.nth(0).locator("td.changed").innerText(), /^0\s+was 1$/);
  await until("the text shows the statement", async () => (await marked()).includes("decrease other.health by 1"));
  await page.keyboard.press("End");
  await frame.getByText("Step 6 of 6").waitFor();
  assert.match(await runs.nth(0).locator("th.changed").innerText(), /^fighter 2\s+was in arena$/);
  const caption = runs.nth(0).locator("table", { hasText: "fighter 2" }).locator("caption");
  assert.equal(await caption.innerText(), "fallen");
  await frame.locator("section.run").nth(0).getByText("End: it ends normally").waitFor();
  await page.keyboard.press("ArrowRight");
  await frame.getByText("Step 6 of 6").waitFor();
  await page.keyboard.press("ArrowLeft");
  await frame.getByText("Step 5 of 6").waitFor();
  // The buttons and the list do the same.
  await frame.getByRole("button", { name: "First step" }).click();
  await frame.getByText("Step 0 of 6").waitFor();
  await runs.nth(1).getByRole("button", { name: /health of fighter 1/ }).click();
  await frame.getByText("Step 4 of 6").waitFor();
  assert.equal(await runs.nth(1).getAttribute("class"), "run active");
});

tried("markup of a specification is text, and nothing else is fetched or run", async () => {
  const frame = await player();
  const text = await frame.locator("#player").innerText();
  assert.ok(text.includes("<img src=x onerror=\"document.title='broken'\"> <b>Then</b> they fall."), text);
  assert.equal(await frame.locator("img, b, iframe, style").locator("visible=true").count(), 0);
  assert.doesNotMatch(await frame.title(), /broken/);
  const policy = await frame.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  assert.match(policy, /^default-src 'none'; style-src 'self' https:[^;]*; script-src 'nonce-[\w-]{24}'$/);
  const ran = await frame.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
    script.remove();
    return globalThis.ran === true;
  });
  assert.equal(ran, false);
});

tried("the player can be read in the light", async () => {
  assert.deepEqual(await axe(await player()), []);
});

tried("a claim is checked alone", async () => {
  await lens("refuted · check").click();
  const said = note("any_order: refuted");
  await said.getByRole("button", { name: "Show as Text" }).click();
  await page.locator(".tab", { hasText: "any_order.txt" }).waitFor();
  await page.getByText("With fighter 2 first").first().waitFor();
});

tried("a finding is expected from now on", async () => {
  await entry("line 12").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Expect This Finding from Now On" }).hover();
  // A menu does not heed a click as fast as this.
  await page.keyboard.press("Enter");
  await note("It is expected from now on").waitFor();
  await until("it is listed as expected", async () => /line 12\s*expected: the order matters/.test(await entry("line 12").innerText()));
  const expected = join(folder, "duel.expected.json");
  assert.ok(existsSync(expected) && readFileSync(expected, "utf8").includes("F0201"));
});

tried("an error is told while the text is written", async () => {
  await page.locator(".tab", { hasText: "F0610" }).click();
  const frame = await player();
  await page.locator(".view-line", { hasText: "zone fallen" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("s");
  await page.getByText("changed since it was checked").waitFor();
  const changed = frame.getByText("The text has changed since this was found.");
  await changed.waitFor();
  await page.keyboard.press("Control+Shift+M");
  await page.locator(".markers-panel").getByText("E0201").first().waitFor();
  await page.locator(".view-line", { hasText: "zone fallen" }).click();
  await page.keyboard.press("Control+z");
  await page.getByText("changed since it was checked").waitFor({ state: "detached" });
  await changed.waitFor({ state: "detached" });
});

tried("a folder can be checked as a task", async () => {
  await page.keyboard.press("F1");
  await page.keyboard.type("Tasks: Run Task");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Tasks: Run Task" }).first().click();
  await page.locator(".quick-input-list").getByText("endstep", { exact: true }).click();
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "endstep: check" }).waitFor();
  await page.keyboard.press("Escape");
});

tried("the player can be read in the dark", async () => {
  set({ "workbench.colorTheme": "Default Dark Modern" });
  await load();
  await lens("Show F0610").click();
  const frame = await player();
  await frame.getByRole("button", { name: "Last step" }).click();
  await frame.getByText("Step 6 of 6").waitFor();
  assert.deepEqual(await axe(frame), []);
});

tried("if the program is not there, it is said what to do", async () => {
  set({ "endstep.path": "no-such-endstep" });
  await load();
  const said = note('The program "no-such-endstep" is not there. Install Endstep so that it is on the PATH');
  await said.getByRole("button", { name: "Open Settings" }).waitFor();
});
