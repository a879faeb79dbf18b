// Visits every page of a site: nothing fails or complains, nothing is wider than a phone, the filters
// work, links lead somewhere, and axe finds nothing, in the light and in the dark.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 900 };

const problems = [];
const say = (page, what) => problems.push(`${page}: ${what}`);

// All files of a folder whose name ends so.
function files(folder, ending) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      return files(path, ending);
    }
    return path.endsWith(ending) ? [path] : [];
  });
}

// What a page leads to, and what can be led to on it.
async function read(tab) {
  return tab.evaluate(() => ({
    links: [...document.querySelectorAll("[href], [src]")].map((one) => one.href || one.src),
    ids: [...document.querySelectorAll("[id]")].map((one) => one.id),
  }));
}

// What depends on colours or on how wide a page is.
const LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

// What axe says of a page, by all of its rules or by some.
async function violations(tab, rules) {
  // Style sheets of files cannot be fetched once more, and nothing here depends on it.
  const options = { resultTypes: ["violations"], preload: false };
  if (rules !== undefined) {
    options.runOnly = { type: "rule", values: rules };
  }
  const results = await tab.evaluate((options) => globalThis.axe.run(document, options), options);
  return results.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes[0]?.html?.slice(0, 160)}`);
}

// Chooses each value of each filter, and compares what is shown with what it says and what there is.
async function filters(tab, name) {
  const outcome = await tab.evaluate(async () => {
    const form = document.getElementById("filters");
    if (form === null) {
      return { fields: 0, wrong: [] };
    }
    const wrong = form.closest("[hidden]") ? ["the filters are hidden"] : [];
    const items = [...document.querySelectorAll("[data-finding]")];
    const count = document.getElementById("count");
    const shown = () => items.filter((one) => one.getBoundingClientRect().height > 0);
    const selects = [...form.querySelectorAll("select")];
    let narrower = 0;
    for (const field of selects) {
      let sum = 0;
      for (const { value } of [...field.options].filter((one) => one.value !== "")) {
        field.value = value;
        field.dispatchEvent(new Event("change", { bubbles: true }));
        const fits = items.filter((one) => one.dataset[field.name].split(" ").includes(value));
        const seen = shown();
        if (fits.length === 0 || seen.length !== fits.length || seen.some((one) => !fits.includes(one))) {
          wrong.push(`${field.name} = ${value} shows ${seen.length}, expected ${fits.length}`);
        }
        if (count.textContent !== `${fits.length} of ${items.length} shown`) {
          wrong.push(`${field.name} = ${value} says "${count.textContent}"`);
        }
        if (!location.search.includes(`${field.name}=`)) {
          wrong.push(`${field.name} = ${value} is not in the address`);
        }
        narrower += fits.length < items.length ? 1 : 0;
        sum += fits.length;
      }
      if (field.name !== "clause" && sum !== items.length) {
        wrong.push(`the values of ${field.name} show ${sum} of ${items.length}`);
      }
      form.reset();
      await new Promise((done) => setTimeout(done));
      if (shown().length !== items.length) {
        wrong.push(`after a reset ${shown().length} of ${items.length} are shown`);
      }
    }
    return { fields: selects.length, wrong, narrower, items: items.length };
  });
  outcome.wrong.forEach((what) => say(name, what));
  return outcome;
}

// Steps through the runs of a finding by keyboard, to the end and back: the board of each end and of the beginning is
// the one that the page shows without scripts.
async function played(tab, name) {
  const outcome = await tab.evaluate(() => {
    const wrong = [];
    const player = document.querySelector(".player");
    if (player === null) {
      return { frames: 0, wrong: document.getElementById("runs") === null ? [] : ["has runs and no player"] };
    }
    const press = (key) => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    };
    const counter = player.querySelector(".counter");
    const texts = (inside, what) => [...inside.querySelectorAll(what)].map((one) => one.textContent);
    // What lies where, and what is said of it; of the player, where something lies.
    const read = (scene) => {
      const spreads = [...scene.querySelectorAll(".spread")].map((spread) => {
        const where = spread.querySelector(".name").firstChild.textContent.trim();
        const cards = [...spread.querySelectorAll(".card")].map((card) => ({
          name: card.querySelector(".name").textContent,
          facts: texts(card, ".facts li").map((fact) => fact.replace(" (changed)", "")),
        }));
        return { where, cards };
      });
      return spreads.filter((one) => one.cards.length > 0);
    };
    const compare = (what, own, shown) => {
      const others = new Map(read(own).map((one) => [one.where, one.cards]));
      const known = read(shown);
      if (known.length !== others.size) {
        wrong.push(`${what}: ${others.size} places with something in the player, ${known.length} on the page`);
      }
      for (const { where, cards } of known) {
        const there = others.get(where) ?? [];
        const names = (all) => all.map((one) => one.name).join(", ");
        if (names(there) !== names(cards)) {
          wrong.push(`${what}: in ${where} the player has ${names(there)}, the page ${names(cards)}`);
        }
        cards.forEach((card, at) => {
          const missing = card.facts.filter((fact) => !there[at]?.facts.includes(fact));
          if (missing.length > 0) {
            wrong.push(`${what}: of ${card.name} the player does not say ${missing.join(", ")}`);
          }
        });
      }
    };
    const film = JSON.parse(document.getElementById("film").textContent);
    const last = Math.max(...film.reels.map((reel) => reel.from + reel.frames.length));
    const runs = [...player.querySelectorAll(".run")];
    press("Home");
    compare("at the beginning", runs[0].querySelector(".scene"), document.querySelector("#board ~ .scene"));
    for (let at = 1; at <= last; at += 1) {
      press("ArrowRight");
      if (counter.textContent !== `step ${at} of ${last}` || location.hash !== `#step-${at}`) {
        wrong.push(`step ${at} of ${last}: says "${counter.textContent}", ${location.hash}`);
      }
      film.reels.forEach((reel, number) => {
        const own = at - reel.from - 1;
        const lines = own >= 0 && own < reel.frames.length ? reel.frames[own].lines : [];
        const said = runs[number].querySelector(".lines").textContent;
        if (lines.some(([, line]) => !said.includes(line))) {
          wrong.push(`step ${at}: does not say what happens`);
        }
      });
    }
    const ends = [...document.querySelectorAll("#runs ~ * .scene, #runs ~ .run .scene")];
    if (ends.length === runs.length) {
      runs.forEach((run, number) => compare(`at the end of run ${number + 1}`, run.querySelector(".scene"), ends[number]));
    }
    const moved = film.reels.some((reel) => reel.frames.some((frame) => frame.lying !== undefined));
    press("ArrowRight");
    press("Home");
    press("ArrowLeft");
    compare("back at the beginning", runs[0].querySelector(".scene"), document.querySelector("#board ~ .scene"));
    return { frames: last, wrong, ends: ends.length, moved };
  });
  outcome.wrong.forEach((what) => say(name, what));
  return outcome;
}

// Looks at one page.
async function look(tab, file, root, seen) {
  const name = relative(root, file);
  await tab.emulateMedia({ colorScheme: "light" });
  await tab.setViewportSize(DESK);
  await tab.goto(pathToFileURL(file).href);
  seen.set(file, await read(tab));
  // As a debugger does it: the policy of the page forbids it to anybody else.
  await tab.evaluate(AXE);
  await tab.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  (await violations(tab)).forEach((what) => say(name, `light: ${what}`));
  seen.get(file).played = await played(tab, name);
  if (file.endsWith("index.html")) {
    const outcome = await filters(tab, name);
    seen.get(file).filters = outcome;
  }
  await tab.emulateMedia({ colorScheme: "dark" });
  await tab.setViewportSize(PHONE);
  const wide = await tab.evaluate(() => document.scrollingElement.scrollWidth);
  if (wide > PHONE.width) {
    say(name, `is ${wide} wide on a phone of ${PHONE.width}`);
  }
  (await violations(tab, LOOKS)).forEach((what) => say(name, `dark, on a phone: ${what}`));
  await tab.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = false)));
  await tab.emulateMedia({ media: "print" });
  const hidden = await tab.evaluate(
    () => [...document.querySelectorAll("main p, main td, main pre")].filter((one) => {
      const shown = one.checkVisibility();
      return !shown && one.id !== "count" && !one.closest("form, nav");
    }).length,
  );
  if (hidden > 0) {
    say(name, `${hidden} paragraphs or cells are not on paper`);
  }
  await tab.emulateMedia({ media: "screen" });
}

// Looks at pages until there are no more.
async function work(browser, queue, root, seen) {
  const context = await browser.newContext({ viewport: DESK });
  const tab = await context.newPage();
  let here = "";
  tab.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      say(here, `the console says: ${message.text()}`);
    }
  });
  tab.on("pageerror", (error) => say(here, `a script fails: ${error.message}`));
  tab.on("requestfailed", (request) => say(here, `cannot load ${request.url()}`));
  tab.on("request", (request) => {
    if (!request.url().startsWith("file:")) {
      say(here, `asks the network for ${request.url()}`);
    }
  });
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    here = relative(root, file);
    await look(tab, file, root, seen);
  }
  await context.close();
}

// Every link leads to a file of the site, and to a place that is there.
function linked(root, seen) {
  let number = 0;
  for (const [file, { links }] of seen) {
    for (const link of links) {
      const url = new URL(link);
      const name = relative(root, file);
      number += 1;
      if (url.protocol !== "file:") {
        say(name, `leads to ${link}, out of the site`);
        continue;
      }
      const anchor = decodeURIComponent(url.hash.slice(1));
      url.hash = "";
      url.search = "";
      const path = fileURLToPath(url);
      if (!path.startsWith(`${root}/`) || !statSync(path, { throwIfNoEntry: false })?.isFile()) {
        say(name, `leads to ${path}, which is not there`);
      } else if (anchor !== "" && !seen.get(path)?.ids.includes(anchor)) {
        say(name, `leads to ${anchor} in ${path}, which is not there`);
      }
    }
  }
  return number;
}

// An address with a choice in it shows that choice, and without scripts everything is there.
async function choices(browser, file, root) {
  const name = relative(root, file);
  const url = pathToFileURL(file).href;
  const shown = (tab) => tab.locator("[data-finding]:visible").count();
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(url);
  const all = await shown(tab);
  const kind = await tab.locator("[data-finding]").first().getAttribute("data-kind");
  const those = await tab.locator(`[data-finding][data-kind="${kind}"]`).count();
  await tab.goto(`${url}?kind=${kind}`);
  if ((await shown(tab)) !== those) {
    say(name, `an address with ?kind=${kind} shows ${await shown(tab)}, expected ${those}`);
  }
  // By keyboard: the first stop leads past the head of the page.
  await tab.goto(url);
  await tab.keyboard.press("Tab");
  await tab.keyboard.press("Enter");
  if ((await tab.evaluate(() => document.activeElement?.id)) !== "main") {
    say(name, "the first stop of the keyboard does not lead to the content");
  }
  await context.close();
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(url);
  if ((await shown(still)) !== all || (await still.locator("#filters").isVisible())) {
    say(name, "without scripts something is missing, or filters are shown");
  }
  await plain.close();
}

const root = resolve(process.argv[2]);
const pages = files(root, ".html").sort();
if (pages.length < 3) {
  throw new Error(`found ${pages.length} pages in ${root}, expected a site`);
}
const started = Date.now();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const seen = new Map();
const queue = [...pages];
const workers = Math.max(2, availableParallelism());
await Promise.all(Array.from({ length: workers }, () => work(browser, queue, root, seen)));
const documents = pages.filter((file) => seen.get(file).filters?.fields > 0);
if (documents.length === 0 || documents.some((file) => seen.get(file).filters.fields !== 5)) {
  say("site", "found no document with five filters");
}
if (!documents.some((file) => seen.get(file).filters.narrower > 0)) {
  say("site", "no filter leaves anything out");
}
for (const file of documents) {
  await choices(browser, file, root);
}
const films = pages.map((file) => seen.get(file).played).filter((one) => one.frames > 0);
if (!films.some((one) => one.ends > 0) || !films.some((one) => one.moved)) {
  say("site", "has no finding to step through in which something moves and that ends");
}
const links = linked(root, seen);
// The script tests itself, too: axe is there and finds what is wrong.
const tab = await browser.newPage();
await tab.setContent("<html><body><img src='data:,'><main><p>x</p></main></body></html>");
await tab.evaluate(AXE);
if (!(await violations(tab)).some((what) => what.startsWith("image-alt"))) {
  say("axe", "does not find an image without words");
}
// And pages run no script that is not a file of the site.
await tab.goto(pathToFileURL(pages[0]).href);
const ran = await tab.evaluate(() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.head.append(script);
  return window.ran === true;
});
if (ran) {
  say(relative(root, pages[0]), "runs a script that was put into it");
}
await browser.close();
const seconds = Math.round((Date.now() - started) / 1000);
console.log(
  `${pages.length} pages, ${documents.length} documents, ${films.length} players, ${links} links, ${seconds} s`,
);
for (const one of problems.slice(0, 60)) {
  console.log(one);
}
if (problems.length > 0) {
  console.log(`${problems.length} problems`);
  process.exit(1);
}
