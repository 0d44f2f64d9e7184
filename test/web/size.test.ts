// @module-tag slow
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { webFolder } from "../server/samples.ts";

const START_BYTES = 120 * 1024;
const isBuilt = existsSync(join(webFolder, "index.html"));

function gzipped(path: string): number {
  return gzipSync(readFileSync(join(webFolder, path))).length;
}

describe.skipIf(!isBuilt)(`the built app${isBuilt ? "" : " (not built: npm run build)"}`, () => {
  const page = isBuilt ? readFileSync(join(webFolder, "index.html"), "utf8") : "";

  test("loads less than 120 KB of script at the start", () => {
    const paths = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map((match) => match[1] ?? "");
    expect(paths.length).toBeGreaterThan(0);
    const sum = paths.map(gzipped).reduce((a, b) => a + b, 0);
    expect(sum).toBeLessThan(START_BYTES);
  });

  test("has no inline script or style, and loads nothing from other hosts", () => {
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});
