// @module-tag slow
import { describe, expect, test } from "vitest";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

describe.skipIf(MISSING !== undefined)(`time and money (${MISSING ?? "Chromium"})`, () => {
  test("any range of days is compared with as many days before", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder);
    await visit("/?since=2026-02-11&until=2026-02-12");
    await page.getByText("against the 2 days before: 9 Feb 2026 – 10 Feb 2026").waitFor();
    const tokens = page.locator(".figure", { hasText: /^Tokens/ });
    await expect.poll(() => tokens.locator(".change").textContent()).toBe("▼ 100%");
    await page.getByLabel("From").fill("2026-02-10");
    await page.waitForURL(/since=2026-02-10/);
    await expect.poll(() => tokens.locator(".value").textContent()).not.toBe("0");
    // Nothing was used before, so no change is shown.
    await expect.poll(() => tokens.locator(".change").count()).toBe(0);
  });

  test("a model has the same colour in every chart and period", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder);
    const colour = (): Promise<string | null> => {
      return page.locator(".legend:not(.heat-scale) .swatch").first().getAttribute("class");
    };
    await visit("/?period=all");
    const before = await colour();
    await visit("/?since=2026-02-10&until=2026-02-10&step=day");
    expect(await colour()).toBe(before);
    const rank = page.locator(".card", { hasText: "Models" }).locator(".bar").first();
    await expect.poll(() => rank.getAttribute("class")).toBe(before?.replace("swatch", "bar"));
  });

  test("a budget is stored and shows what is spent", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder);
    await visit("/");
    const budget = page.getByRole("region", { name: "Budget" });
    await budget.getByLabel("Monthly budget, in dollars").fill("60");
    await page.keyboard.press("Enter");
    await budget.getByText(/of \$60\.00 in Nov 2026/).waitFor();
    await page.reload();
    await expect.poll(() => budget.textContent()).toMatch(/of \$60\.00 in Nov 2026/);
  });
});
