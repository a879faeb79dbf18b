// Makes dist/: the extension and the script of the player; with --tests the tests as well.

import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });

const common = { bundle: true, logLevel: "warning", legalComments: "none", charset: "utf8" };

// The editor provides `vscode`.
const extension = {
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  // The two forms of vscode-languageclient's dependencies are the same; this one can be bundled.
  mainFields: ["module", "main"],
  minify: true,
};

const player = {
  ...common,
  entryPoints: ["src/webview/player.ts"],
  outfile: "dist/player.js",
  platform: "browser",
  target: "es2022",
  format: "iife",
};

const tests = {
  ...common,
  entryPoints: readdirSync("tests").filter((name) => name.endsWith(".test.ts")).map((name) => `tests/${name}`),
  outdir: "dist/tests",
  platform: "node",
  target: "node20",
  format: "esm",
  outExtension: { ".js": ".mjs" },
};

await Promise.all([build(extension), build(player)]);
if (process.argv.includes("--tests")) {
  await build(tests);
}
