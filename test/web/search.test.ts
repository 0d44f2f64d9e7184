// @module-tag slow
import { describe, expect, test } from "vitest";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import type { Visit } from "./visit.ts";
import { MISSING, visitorOf } from "./visit.ts";

async function tour(path: string): Promise<Visit> {
  const { folder } = homeWith(TOUR_HOME);
  const visitor = await visitorOf(folder);
  await visitor.visit(path);
  return visitor;
}

describe.skipIf(MISSING !== undefined)(`search (${MISSING ?? "Chromium"})`, () => {
  test("filters are shown as chips, are in the address, and can be removed", async () => {
    const { page } = await tour("/search?q=total");
    await expect.poll(() => page.locator("a.hit").count()).toBeGreaterThan(1);
    const all = await page.locator("a.hit").count();
    await page.getByLabel("In", { exact: true }).selectOption("prompts");
    await page.waitForURL(/in=prompts/);
    await expect.poll(() => page.locator("a.hit").count()).toBeLessThan(all);
    expect(new Set(await page.locator("a.hit .badge:first-child").allTextContents())).toEqual(
      new Set(["prompt"]),
    );
    await page.getByRole("link", { name: "In: prompts, take back" }).click();
    await expect.poll(() => page.locator("a.hit").count()).toBe(all);
    await page.getByLabel("From").fill("2026-03-01");
    await page.getByText("No matches.").waitFor();
    await page.getByRole("link", { name: "Search without filters" }).click();
    await expect.poll(() => page.locator("a.hit").count()).toBe(all);
  });

  test("a misspelt word leads to a suggestion", async () => {
    const { page } = await tour("/search?q=redcue");
    await page.getByText("Did you mean").waitFor();
    await page.getByRole("link", { name: "reduce" }).click();
    await page.locator("a.hit mark").first().waitFor();
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("reduce");
  });

  test("hits are highlighted in the session", async () => {
    const { page } = await tour("/search?q=start+value");
    await page.locator("a.hit").first().click();
    await page.locator("#m-g2.pointed").waitFor();
    await expect
      .poll(() => page.evaluate("CSS.highlights.get('found')?.size ?? 0"))
      .toBeGreaterThan(1);
  });

  test("the palette opens pages, sessions, files and text by keyboard", async () => {
    const { page } = await tour("/");
    const go = async (words: string, option: RegExp): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).fill(words);
      const target = page.getByRole("option", { name: option }).first();
      await target.waitFor();
      for (let at = 0; at < 20; at += 1) {
        if ((await target.getAttribute("aria-selected")) === "true") break;
        await page.keyboard.press("ArrowDown");
      }
      await page.keyboard.press("Enter");
    };
    await go("tool", /^Page\s*Tools/);
    await page.waitForURL(/\/tools$/);
    await go("empty lists", /^Session/);
    await page.waitForURL(new RegExp(TOUR_ID));
    await go("start value", /^Text/);
    await page.locator("#m-g2.pointed").waitFor();
    await go("nobody said this", /^Search/);
    await page.waitForURL(/\/search\?q=nobody/);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("total.ts");
    await page.getByRole("option", { name: /^File.*total\.ts/ }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog.palette").count()).toBe(0);
    // Nothing of what is typed before it is there is lost, or taken for a command of the page.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/palette/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(new URL("/tools", page.url()).href);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("gd");
    release();
    const field = page.getByRole("combobox", { name: "Go to" });
    await expect.poll(() => field.inputValue()).toBe("gd");
    expect(page.url()).toContain("/tools");
  });
});
