// @module-tag slow
import { describe, expect, test } from "vitest";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

const CHAT = JSON.stringify({
  history: [
    { role: "user", parts: [{ text: "Count the loaves" }] },
    { role: "model", parts: [{ text: "There are **seven**." }] },
  ],
});

describe.skipIf(MISSING !== undefined)(
  `conversations in a browser (${MISSING ?? "Chromium"})`,
  () => {
    test("a saved chat can be read, including its raw entries", async () => {
      const { folder } = homeWith({ ...TOUR_HOME, "checkpoint-bread.json": CHAT });
      const { page, visit } = await visitorOf(folder);
      await visit("/sessions?kind=saved-chat");
      await page.getByRole("link", { name: "bread" }).click();
      await page.getByRole("heading", { level: 1, name: 'Saved chat "bread"' }).waitFor();
      await page.locator(".said", { hasText: "Count the loaves" }).waitFor();
      expect(await page.locator(".markdown strong").textContent()).toBe("seven");
      expect(await page.getByText("Copy resume command").count()).toBe(0);
      await page.getByRole("button", { name: "Raw" }).first().click();
      await page.getByRole("dialog").getByText('"text": "Count the loaves"').waitFor();
    });

    test("a subagent call shows the agent's name and its task", async () => {
      const { folder } = homeWith(TOUR_HOME);
      const { page, visit } = await visitorOf(folder);
      await visit(`/sessions/${TOUR_ID}`);
      const head = page.locator("[data-call='invoke_agent__a1'] .about");
      expect(await head.textContent()).toBe("codebase_investigator: Find who calls total().");
      // The head of the session contains the subagents' cost, too.
      await page.getByText("with its subagents").waitFor();
    });

    test("a tool's display is left out if the output contains it", async () => {
      const shown = "seven loaves";
      const calls = ["same", "other"].map((id) => {
        const output = id === "same" ? `Output: ${shown}\n` : "nothing of it";
        const args = { command: "count" };
        return call(id, "run_shell_command", { args, output, resultDisplay: shown, seconds: 3 });
      });
      const text = jsonl(
        header("s1"),
        user("u1", 1, "Count"),
        model("g1", 2, { toolCalls: calls }),
      );
      const { folder } = homeWith({ "chats/session-2026-02-10T17-28-s1.jsonl": text });
      const { page, visit } = await visitorOf(folder);
      await visit("/sessions/s1");
      for (const id of ["same", "other"]) await page.locator(`[data-call='${id}'] summary`).click();
      const headings = (id: string): Promise<string[]> =>
        page.locator(`[data-call='${id}'] .tool-inside h2`).allTextContents();
      expect(await headings("same")).toEqual(["Given to run_shell_command", "Output"]);
      expect(await headings("other")).toEqual(["Given to run_shell_command", "Shown", "Output"]);
    });

    test.each(["OR loaf", "bake()", "NOT loaf", "bake -> loaf"])(
      "the query %s leads to a hint",
      async (q) => {
        const { folder } = homeWith(TOUR_HOME);
        // The browser logs the 400 response itself.
        const { page, visit } = await visitorOf(folder, { expects: /400/ });
        await visit(`/search?q=${encodeURIComponent(q)}`);
        await page.locator(".blank").waitFor();
        expect(await page.getByRole("alert").count()).toBe(0);
      },
    );

    test.each([375, 1280])("links to all pages are visible, %d wide", async (width) => {
      const { folder } = homeWith(TOUR_HOME);
      const { page } = await visitorOf(folder, { width });
      for (const name of ["Overview", "Sessions", "Search", "Tools", "Doctor"]) {
        const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });
        const box = await link.boundingBox();
        expect(box && box.x >= 0 && box.x + box.width <= width, name).toBe(true);
      }
    });
  },
);
