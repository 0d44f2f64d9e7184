// @module-tag slow
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { AGENT_ID, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

/** Holds answers to requests for `path` until the returned function is called. */
async function gate(page: Page, path: RegExp): Promise<() => void> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route(path, async (route) => {
    await opened;
    await route.continue();
  });
  return () => open();
}

function sessionNamed(at: number, title: string): Record<string, string> {
  const id = `${at}`.repeat(8) + "-0000-4000-8000-000000000000";
  const name = `chats/session-2026-02-1${at}T10-00-${id.slice(0, 8)}.jsonl`;
  return { [name]: jsonl(header(id), user(`u${at}`, at, title), model(`g${at}`, at + 1, "Yes.")) };
}

const FALSE_FACTS =
  /Nothing|No match|No sessions|No tool|No recorded|not found|None|0 of 0|\$0\.00(?!\d)|\b0 (sessions?|requests?|tokens?|calls?|lines?|files?)\b/;

/** Every page, with a selector that matches only after its answer. */
const PAGES: readonly [path: string, answered: string][] = [
  ["/?period=all", ".chart svg"],
  ["/sessions", ".list-row .title"],
  ["/sessions?kind=saved-chat", ".blank, table"],
  [`/sessions/${TOUR_ID}`, "#m-g2"],
  [`/sessions/${TOUR_ID}?view=changes`, ".diff"],
  [`/sessions/${TOUR_ID}?view=calls`, "table.calls td"],
  ["/search?q=total", "a.hit"],
  ["/uses?path=total.ts", "a.use"],
  ["/uses?path=total.ts&view=blame", ".state"],
  ["/tools?period=all", "table td"],
  ["/insights?period=all", ".card"],
  [`/compare?sessions=${TOUR_ID},${AGENT_ID}`, "table.compare td"],
  ["/compare?period=all", ".blank"],
  ["/doctor", "table td"],
];

async function saysNothingFalse(page: Page): Promise<void> {
  expect(await page.locator("main").textContent()).not.toMatch(FALSE_FACTS);
}

describe.skipIf(MISSING !== undefined)(`slow answers (${MISSING ?? "Chromium"})`, () => {
  test("the overview shows no chart and no empty list before the answer", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, origin } = await visitorOf(folder);
    const open = await gate(page, /\/api\/(usage|tools)/);
    await page.goto(`${origin}/?period=all`);
    await page.getByRole("heading", { name: "Cost over time" }).waitFor();
    await page.waitForTimeout(200);
    expect(await page.locator("main .skeleton").count()).toBeGreaterThan(4);
    expect(await page.locator("main svg").count()).toBe(0);
    await saysNothingFalse(page);
    open();
    await page.locator("main .chart svg").waitFor();
    await page.locator("main .heat rect").first().waitFor();
    await expect.poll(() => page.locator("main .skeleton").count()).toBe(0);
  });

  test.each(PAGES)("%s shows no facts before its answer", async (path, answered) => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, origin } = await visitorOf(folder, { expects: /status of 404/ });
    await page.goto("about:blank");
    const open = await gate(page, /\/api\/(?!live)/);
    await page.goto(`${origin}${path}`);
    await page.locator("main .skeleton, main .state").first().waitFor();
    await page.waitForTimeout(200);
    await saysNothingFalse(page);
    expect(await page.locator("main svg").count()).toBe(0);
    open();
    await page.locator(`main :is(${answered})`).first().waitFor();
  });

  test("after a change of period, the old answer is dimmed until the new one arrives", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder);
    await visit("/?period=all");
    const tokens = page.locator(".figure", { hasText: /^Tokens/ }).locator(".value");
    await tokens.waitFor();
    await page.locator("main .chart svg").waitFor();
    const before = await tokens.textContent();
    const open = await gate(page, /\/api\/(usage|tools)\?.*since=2026-11-15/);
    await page.getByRole("link", { name: "Today" }).click();
    await page.locator(".pending .figures").waitFor();
    await page.getByText("Updating…").first().waitFor();
    expect(await tokens.textContent()).toBe(before);
    expect(await page.locator(".pending .chart svg").count()).toBe(1);
    await saysNothingFalse(page);
    open();
    await expect.poll(() => tokens.textContent()).toBe("0");
    await expect.poll(() => page.locator(".pending").count()).toBe(0);
  });

  test("rows of a list that is being sorted cannot be opened", async () => {
    const files = [sessionNamed(1, "Alpha"), sessionNamed(2, "Beta"), sessionNamed(3, "Gamma")];
    const { folder } = homeWith(Object.assign({}, ...files) as Record<string, string>);
    const { page, visit, origin } = await visitorOf(folder);
    await visit("/sessions?order=title&direction=down");
    const titles = page.locator(".list-row .title");
    await expect.poll(() => titles.allTextContents()).toEqual(["Alpha", "Beta", "Gamma"]);
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Alpha");
    const open = await gate(page, /\/api\/sessions\?.*direction=up/);
    await page.evaluate(
      `history.pushState(null, "", "/sessions?order=title&direction=up"); dispatchEvent(new PopStateEvent("popstate"))`,
    );
    await page.locator(".list-body.pending").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(100);
    expect(page.url()).toBe(`${origin}/sessions?order=title&direction=up`);
    await saysNothingFalse(page);
    open();
    await expect.poll(() => titles.allTextContents()).toEqual(["Gamma", "Beta", "Alpha"]);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/sessions\/33333333/);
  });

  test("changed filters do not show the count and rows of the old ones", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder);
    await visit("/sessions?q=no+such+thing");
    await page.getByText("Nothing matches.").waitFor();
    const open = await gate(page, /\/api\/sessions\?.*limit=100/);
    await page.getByRole("link", { name: "Clear" }).click();
    await page.waitForTimeout(200);
    await saysNothingFalse(page);
    open();
    await expect.poll(() => page.locator(".list-row .title").count()).toBeGreaterThan(0);
  });

  test('a running search shows neither a count nor "nothing found"', async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder);
    await visit("/search?q=zzzz");
    await page.getByText("No matches.").waitFor();
    const open = await gate(page, /\/api\/search\?q=start/);
    await page.getByLabel("Search", { exact: true }).fill("start value");
    await page.waitForURL(/q=start/);
    await page.waitForTimeout(100);
    expect(await page.locator("main").textContent()).not.toMatch(/No matches|\d+ hits?/);
    open();
    await page.locator("a.hit mark").first().waitFor();
  });
});
