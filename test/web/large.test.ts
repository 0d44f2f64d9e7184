// @module-tag slow
import { describe, expect, test } from "vitest";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { MISSING, visitorOf } from "./visit.ts";

const SESSIONS = 980;
const TURNS = 10;
const LONG_TURNS = 1000;

/** 980 sessions of 20 messages and one of 2,000: no page shows all of them at once. */
function largeHome(): Record<string, string> {
  const files: Record<string, string> = {};
  for (let at = 0; at <= SESSIONS; at += 1) {
    const id = `${at.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const turns = at === SESSIONS ? LONG_TURNS : TURNS;
    const records = Array.from({ length: turns }, (_, turn) => [
      user(`u${at}-${turn}`, at * 1000 + turn * 2, `Question ${turn} of session ${at}`),
      model(`g${at}-${turn}`, at * 1000 + turn * 2 + 1, `Answer ${turn} with **weight**.`),
    ]).flat();
    const name = `chats/session-2026-02-10T17-28-${id.slice(0, 8)}.jsonl`;
    files[name] = jsonl(header(id), ...records);
  }
  return files;
}

describe.skipIf(MISSING !== undefined)(
  `many sessions and a long one (${MISSING ?? "Chromium"})`,
  () => {
    test("list, overview and the longest session open with a bounded number of elements", async () => {
      const { folder } = homeWith(largeHome());
      const { page, visit } = await visitorOf(folder);
      await visit("/sessions");
      await page.getByText("981", { exact: true }).waitFor();
      expect(await page.locator(".list-row").count()).toBeLessThan(60);
      await page.evaluate("document.querySelector('.list').scrollTo(0, 1e9)");
      await page.getByRole("link", { name: "Question 0 of session 0", exact: true }).waitFor();
      expect(await page.locator(".list-row").count()).toBeLessThan(60);
      await visit("/?period=all");
      await page.locator(".figure", { hasText: "Requests" }).getByText("10,800").waitFor();
      await visit("/sessions/000003d4-0000-4000-8000-000000000000");
      await page.getByRole("button", { name: /earlier message/ }).waitFor();
      await page.locator("#m-g980-999").scrollIntoViewIfNeeded();
      await page.getByText("Answer 999 with weight.").waitFor();
      const nodes = await page.evaluate<number>("document.querySelectorAll('main *').length");
      expect(nodes).toBeLessThan(30_000);
      await page.keyboard.press("f");
      await page.getByLabel("Find in this session").fill("Question 3 of");
      await page.getByText("1 of 1").waitFor();
      await page.locator("#m-u980-3.pointed").waitFor();
    });
  },
);
