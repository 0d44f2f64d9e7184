// @module-tag slow
import { describe, expect, test } from "vitest";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

describe.skipIf(MISSING !== undefined)(`keyboard navigation (${MISSING ?? "Chromium"})`, () => {
  test("goes from the overview to a tool's output and back", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page } = await visitorOf(folder);
    const { keyboard } = page;
    await page.getByRole("heading", { level: 1 }).waitFor();
    await keyboard.press("g");
    await keyboard.press("s");
    await page.waitForURL(/\/sessions$/);
    await page.locator(".list-row .title").first().waitFor();
    await keyboard.press("j");
    await keyboard.press("j");
    await keyboard.press("k");
    const focused = page.locator(".list-row .title:focus");
    const title = await focused.textContent();
    expect(title).toBe("Make total() accept empty lists");
    await keyboard.press("Enter");
    await page.waitForURL(new RegExp(TOUR_ID));
    await page.locator(".message.prompt").first().waitFor();
    await keyboard.press("n");
    await page.locator(".message.prompt:focus").waitFor();
    const call = page.locator("[data-call='read_file__r1'] summary");
    await call.focus();
    await keyboard.press("Enter");
    await page.locator("[data-call='read_file__r1'] .block").first().waitFor();
    await keyboard.press("g");
    await keyboard.press("d");
    await page.waitForURL(/\/doctor$/);
    await page.getByRole("heading", { level: 1, name: "Doctor" }).waitFor();
    await keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.waitFor();
    await keyboard.press("Escape");
    await keys.waitFor({ state: "hidden" });
    await keyboard.press("/");
    await page.waitForURL(/\/search$/);
    await page.locator("[data-search]:focus").waitFor();
  });

  test("shows the focus at every Tab, and starts with a link to the content", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder);
    await visit(`/sessions/${TOUR_ID}`);
    const first = page.locator("a, button").first();
    expect(await first.textContent()).toBe("Skip to content");
    await first.focus();
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press("Tab");
      const style = await page.evaluate<string>(
        `(() => {
          const { outlineStyle, opacity } = getComputedStyle(document.activeElement);
          return outlineStyle + " " + opacity;
        })()`,
      );
      expect(style, await page.locator(":focus").innerText()).not.toMatch(/^none| 0$/);
    }
  });
});
