// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isSafeTarget, safeMarkdown } from "../../src/exports/document/safe-markdown.ts";
import { findChromium, NO_CHROMIUM, startChromium } from "../browser/chromium.ts";
import { homeWith } from "../samples/home.ts";
import { ATTACKS, HOSTILE_HOME, HOSTILE_ID } from "../samples/hostile.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { writtenText } from "./written.ts";

describe("Markdown inside a document", () => {
  test.each([
    ["# One\ntext", "#### One\ntext"],
    ["Title\n===", "Title\n\\==="],
    ["a <b>bold</b> `<i>`", "a &lt;b>bold&lt;/b> `<i>`"],
    ["![x](http://a/b.png)", "[image: x](http://a/b.png)"],
    ["[x](javascript:1)", "[x]\\(javascript:1)"],
    ["[x](\njavascript:1)", "[x]\\(\njavascript:1)"],
    ["[x]: vbscript:1", "[x]\\: vbscript:1"],
    ["[a](https://b.c/d) [e](#f) [g](h.md)", "[a](https://b.c/d) [e](#f) [g]\\(h.md)"],
    ["```\n<b>", "```\n<b>\n```"],
    ["~~~ts\n# x\n~~~\n# y", "~~~ts\n# x\n~~~\n#### y"],
  ])("is made safe: %j", (text, expected) => {
    expect(safeMarkdown(text)).toBe(expected);
  });

  test.each([
    "javascript:x",
    "JAVASCRIPT:x",
    " java\tscript:x",
    "javascript&#58;x",
    "javascript&#x3a;x",
    "javascript&colon;x",
    "javascript%3Ax",
    "data:text/html,x",
    "file:///etc/passwd",
    "\\javascript:x",
  ])("rejects the link target %j", (target) => {
    expect(isSafeTarget(target)).toBe(false);
  });
});

const executable = findChromium();
const reason = executable === undefined ? ` (skipped: ${NO_CHROMIUM})` : "";

describe.skipIf(executable === undefined)(`the page in a browser${reason}`, () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), "pollux-pages-"));

  beforeAll(async () => {
    browser = await startChromium(executable ?? "");
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Opened {
    page: Page;
    /** Script errors, console messages (also of the CSP), and requests other than the page. */
    trouble: string[];
  }

  const open = async (html: string, width = 390): Promise<Opened> => {
    const path = join(folder, `${Math.abs(html.length * 31 + width)}.html`);
    writeFileSync(path, html);
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const trouble: string[] = [];
    page.on("pageerror", (error) => trouble.push(`error ${error.message}`));
    page.on("console", (message) => trouble.push(`console ${message.text()}`));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(path).href) trouble.push(`request ${request.url()}`);
    });
    await page.goto(pathToFileURL(path).href, { waitUntil: "load" });
    return { page, trouble };
  };

  const tour = async (): Promise<string> => {
    return writtenText(homeWith(TOUR_HOME).library, TOUR_ID, { to: "html" });
  };
  const hostile = async (): Promise<string> => {
    return writtenText(homeWith(HOSTILE_HOME).library, HOSTILE_ID, { to: "html" });
  };

  test("opens without script errors or requests, and fits a phone", async () => {
    const { page, trouble } = await open(await tour());
    expect(trouble).toEqual([]);
    expect(await page.title()).toBe("Make total() accept empty lists");
    const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
    expect(widths).toEqual([390, 390]);
    await page.close();
  });

  test("folds thoughts and tools, draws diffs and colours code", async () => {
    const { page } = await open(await tour());
    expect(await page.locator("details").count()).toBe(8);
    expect(await page.locator("details[open]").count()).toBe(0);
    await page.locator("summary", { hasText: "Edit total.ts" }).click();
    expect(await page.locator(".diff .plus").count()).toBe(2);
    expect(await page.locator(".diff .minus").count()).toBe(1);
    expect(await page.locator(".hljs-keyword").count()).toBeGreaterThan(0);
    expect(await page.locator("td.to-right").count()).toBe(1);
    await page.close();
  });

  test("follows the light and dark colour schemes", async () => {
    const { page } = await open(await tour());
    const back = "getComputedStyle(document.body).backgroundColor";
    await page.emulateMedia({ colorScheme: "light" });
    expect(await page.evaluate(back)).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await page.evaluate(back)).toBe("rgb(22, 24, 28)");
    await page.close();
  });

  test("has a table of contents only if it is long", async () => {
    const short = await open(await tour());
    expect(await short.page.locator("nav").count()).toBe(0);
    const long = await open(await hostile());
    expect(await long.page.locator("nav li").count()).toBe(ATTACKS.length + 2);
    const targets = await long.page.evaluate(
      "[...document.querySelectorAll('nav a')].map((link) => link.hash)",
    );
    for (const target of targets as string[]) {
      expect(await long.page.locator(`h2${target}`).count()).toBe(1);
    }
    await Promise.all([short.page.close(), long.page.close()]);
  });

  test("shows injected markup as text: nothing runs, loads or breaks out of its element", async () => {
    const { page, trouble } = await open(await hostile());
    await page.waitForTimeout(200);
    expect(trouble).toEqual([]);
    expect(await page.evaluate("globalThis.pwned")).toBeUndefined();
    for (const tag of [
      "script",
      "img",
      "svg",
      "iframe",
      "form",
      "link",
      "base",
      "object",
      "embed",
    ]) {
      expect([tag, await page.locator(tag).count()]).toEqual([tag, 0]);
    }
    expect(await page.locator("style").count()).toBe(1);
    expect(await page.locator("h1").count()).toBe(1);
    expect(await page.locator("body > *").count()).toBe(1);
    expect(await page.locator("main > footer").count()).toBe(1);
    const links = await page.evaluate(
      "[...document.querySelectorAll('main a')].map((link) => link.protocol)",
    );
    expect(new Set(links as string[])).toEqual(new Set(["file:", "http:"]));
    const words = await page.locator(".prompt").allInnerTexts();
    expect(words.join("\n")).toContain("<script>globalThis.pwned = 1</script>");
    expect(await page.evaluate("getComputedStyle(document.body).display")).toBe("block");
    await page.close();
  });
});
