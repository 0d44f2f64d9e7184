// @module-tag slow
import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

const PATHS = [
  "/?period=all",
  "/sessions",
  `/sessions/${TOUR_ID}?show=everything`,
  `/sessions/${TOUR_ID}?view=changes`,
  `/sessions/${TOUR_ID}?view=calls`,
  "/search?q=total&project=ledger",
  "/uses?path=total.ts",
  "/insights?period=all",
  "/compare",
  "/tools",
  "/doctor",
  "/nowhere",
];
/** Dark mode differs only in colours, so only rules about colours run there. */
const RULES = {
  light: "{ resultTypes: ['violations'] }",
  dark: "{ resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }",
};
/** Pages with a different layout on a phone. */
const PHONE = ["/?period=all", "/sessions", `/sessions/${TOUR_ID}?show=everything`, "/doctor"];

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary: string }[];
}

describe.skipIf(MISSING !== undefined)(`accessibility (${MISSING ?? "Chromium"})`, () => {
  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
  ] as const)("axe finds no violations, %s, %d wide", async (colorScheme, width) => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder, { colorScheme, width });
    for (const path of width < 600 ? PHONE : PATHS) {
      await visit(path);
      if (path.startsWith("/sessions/")) {
        if (!path.includes("view=")) await page.locator(".markdown").first().waitFor();
        await page.evaluate(
          `for (const one of document.querySelectorAll("details")) one.open = true`,
        );
      }
      await page.waitForTimeout(150);
      await page.evaluate(axe.source);
      const found = await page.evaluate<Violation[]>(
        `axe.run(document, ${RULES[colorScheme]}).then(({ violations }) => violations)`,
      );
      const actual = found.map(({ id, help, nodes }) => {
        return `${path} ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`;
      });
      expect(actual).toEqual([]);
    }
  });

  test("light and dark themes differ, and narrow pages do not scroll sideways", async () => {
    // The diagnostic of a damaged file with a long name contains its whole path.
    const damaged = { [`chats/session-2026-02-10T17-29-${"0".repeat(60)}.json`]: '{"sess' };
    const { folder } = homeWith({ ...TOUR_HOME, ...damaged });
    const grounds = new Set<string>();
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, visit } = await visitorOf(folder, { colorScheme, width: 360 });
      for (const path of PATHS) {
        await visit(path);
        await page.waitForTimeout(100);
        const picture = await page.screenshot();
        expect(picture.length, path).toBeGreaterThan(5000);
        const beyond =
          "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(beyond), path).toBeLessThanOrEqual(0);
      }
      const ground = "getComputedStyle(document.body).backgroundColor";
      grounds.add(await page.evaluate<string>(ground));
    }
    expect(grounds.size).toBe(2);
  });
});
