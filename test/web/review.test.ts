// @module-tag slow
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { at, call, header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

const ID = "22222222-0000-4000-8000-000000000000";
const FILE = "/home/ada/projects/ledger/list.ts";

function edit(id: string, diff: string, seconds: number): object {
  return call(id, "replace", {
    args: { file_path: FILE, old_string: "old text", new_string: "new text" },
    output: "ok",
    seconds,
    resultDisplay: { fileDiff: diff, fileName: "list.ts", filePath: FILE },
  });
}

const CONTENT = "export const one = 1;\nexport const two = 2;\n";

/** Two edits of one file that combine to one change, a new file, and a failed call. */
const REVIEWED = homeFiles([
  user("u1", 1, "Begin the list"),
  model("g1", 2, {
    text: "First the list.",
    thoughts: [{ subject: "Plan", description: "Small steps.", timestamp: at(2) }],
    toolCalls: [
      edit("e1", "--- a\n+++ b\n@@ -1,2 +1,3 @@\n one\n+two\n three\n", 3),
      call("w1", "write_file", {
        args: { file_path: "/home/ada/projects/ledger/fresh.ts", content: CONTENT },
        output: "Written.",
        seconds: 4,
      }),
    ],
  }),
  user("u2", 10, "And now better"),
  model("g2", 11, {
    toolCalls: [
      edit("e2", "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n", 12),
      call("t1", "run_shell_command", {
        args: { command: "npm test" },
        error: "exit code 1",
        status: "error",
        seconds: 13,
      }),
    ],
  }),
  model("g3", 14, "Done."),
]);

function homeFiles(records: readonly object[]): Record<string, string> {
  return { "chats/session-2026-02-10T17-28-22222222.jsonl": jsonl(header(ID), ...records) };
}

async function opened(path = ""): Promise<Page> {
  const { folder } = homeWith(REVIEWED);
  const { page, visit } = await visitorOf(folder, { width: 1440 });
  await visit(`/sessions/${ID}${path}`);
  return page;
}

describe.skipIf(MISSING !== undefined)(`reviewing a session (${MISSING ?? "Chromium"})`, () => {
  test("changed files link to a combined diff and to its steps with their prompts", async () => {
    const page = await opened();
    const files = page.getByRole("navigation", { name: "Changed files" });
    await files.getByRole("link", { name: /list\.ts/ }).waitFor();
    expect(await files.getByRole("link").allTextContents()).toEqual(["list.ts+2 −1", "fresh.ts"]);
    await files.getByRole("link", { name: /list\.ts/ }).click();
    const added = page.locator(".diff tr.added .code");
    await expect.poll(() => added.allTextContents()).toEqual(["zwei"]);
    expect(await page.locator(".diff tr.removed").count()).toBe(0);
    const why = page.getByRole("link", { name: "why?" });
    expect(await why.getAttribute("title")).toBe("And now better");
    await page.getByRole("button", { name: "Step by step" }).click();
    await page.getByText("Step 1 of 2").waitFor();
    expect(await added.allTextContents()).toEqual(["two"]);
    await page.getByRole("button", { name: "Next", exact: true }).click();
    expect(await page.locator(".diff tr.removed .code").allTextContents()).toEqual(["two"]);
    await page.locator(".origin").getByRole("link", { name: "And now better" }).click();
    await page.locator("#m-u2.pointed").waitFor();
  });

  test("a write shows its content once", async () => {
    const page = await opened();
    await page.locator("[data-call='w1'] summary").click();
    const inside = page.locator("[data-call='w1'] .tool-inside");
    await inside.getByText("export const one = 1;").waitFor();
    const text = (await inside.textContent()) ?? "";
    expect(text.split("export const one = 1;").length - 1).toBe(1);
    await page.locator("[data-call='e1'] summary").click();
    await page.locator("[data-call='e1'] .diff").waitFor();
    expect(await page.locator("[data-call='e1']").textContent()).not.toContain("new text");
  });

  test("filters by kind, errors and file", async () => {
    const page = await opened();
    await page.getByText("First the list.").waitFor();
    await page.getByRole("switch", { name: /answers/ }).click();
    await expect.poll(() => page.getByText("First the list.").count()).toBe(0);
    expect(await page.locator(".tool").count()).toBe(4);
    await page.getByRole("switch", { name: /changing files/ }).click();
    await expect.poll(() => page.locator(".tool").count()).toBe(1);
    expect(page.url()).toContain("hide=answers%2CEdit");
    await page.goto(page.url().replace(/\?.*/, "?only=errors"));
    await expect.poll(() => page.locator(".tool").count()).toBe(1);
    await page.getByText("And now better").last().waitFor();
    expect(await page.locator(".message.prompt").count()).toBe(1);
    await page.goto(page.url().replace(/\?.*/, `?file=${encodeURIComponent(FILE)}`));
    await expect.poll(() => page.locator(".tool").count()).toBe(2);
    expect(await page.locator(".message.prompt").count()).toBe(2);
  });

  test("expands and collapses everything, and a key goes to the next error", async () => {
    const page = await opened();
    await page.getByRole("button", { name: "Expand all" }).click();
    await expect.poll(() => page.locator(".tool-inside").count()).toBe(4);
    await page.getByText("Small steps.").waitFor();
    await page.keyboard.press("e");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("m-g2");
    await page.getByRole("button", { name: "Collapse all" }).click();
    await expect.poll(() => page.locator(".tool-inside").count()).toBe(0);
  });

  test("errors that cannot be scrolled to the top are reached one after the other", async () => {
    const failed = (id: string, seconds: number): object => {
      const name = "run_shell_command";
      const args = { command: "npm test" };
      return call(id, name, { args, error: "exit code 1", status: "error", seconds });
    };
    const files = homeFiles([
      user("u1", 1, "Test it"),
      model("g1", 2, { toolCalls: [failed("t1", 3)] }),
      model("g2", 4, { toolCalls: [failed("t2", 5)] }),
    ]);
    const { page, visit } = await visitorOf(homeWith(files).folder, { width: 1440 });
    await visit(`/sessions/${ID}`);
    await page.locator(".tool").last().waitFor();
    await page.keyboard.press("e");
    await page.locator("#m-g1.pointed").waitFor();
    await page.keyboard.press("e");
    await page.locator("#m-g2.pointed").waitFor();
    expect(await page.locator(".pointed").count()).toBe(1);
    await page.getByRole("button", { name: "Find f" }).click();
    await page.getByLabel("Find in this session").waitFor();
  });

  test("filters of the conversation are offered beside it only", async () => {
    const page = await opened("?view=changes");
    await page.getByRole("button", { name: "Expand all" }).waitFor();
    expect(await page.getByRole("button", { name: /Next prompt/ }).count()).toBe(0);
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await page.getByLabel("Filter calls").waitFor();
    expect(await page.getByRole("button", { name: "Expand all" }).count()).toBe(0);
    expect(await page.getByRole("switch", { name: /answers/ }).count()).toBe(0);
  });

  test("the timeline has axes and a value for every reply", async () => {
    const page = await opened();
    const line = page.getByRole("group", { name: "Context and cost over the session" });
    await line
      .getByRole("link", { name: /context .* · \$0\.\d+ · prompt/ })
      .first()
      .waitFor();
    expect(await line.getByRole("link").count()).toBe(3);
    expect(await line.getByRole("link", { name: /error/ }).count()).toBe(1);
    expect(
      (await line.locator("text.axis").allTextContents()).filter((text) => text === "0"),
    ).toHaveLength(2);
    await line.getByRole("link").last().click();
    await page.locator("#m-g3.pointed").waitFor();
  });

  test("calls are listed in a table that can be filtered, with a link to search", async () => {
    const page = await opened("?view=calls");
    await page.getByLabel("Filter calls").fill("error");
    await page.getByText("1 of 4 calls").waitFor();
    await page.getByRole("link", { name: "Elsewhere" }).click();
    await page.waitForURL(/\/search\?q=%22npm\+test%22&in=tools/);
    await expect.poll(() => page.locator("a.hit mark").count()).toBeGreaterThan(0);
  });

  test("searched words are highlighted", async () => {
    const page = await opened("?find=better+npm");
    await page.getByText("And now better").last().waitFor();
    const marked = "CSS.highlights.get('found')?.size ?? 0";
    await expect.poll(() => page.evaluate(marked)).toBe(2);
    await page.keyboard.press("f");
    await page.getByLabel("Find in this session").fill("exit code");
    // The text is in a collapsed part, which opens.
    await expect.poll(() => page.evaluate(marked)).toBe(1);
  });

  test("a subagent shows its own cost", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder);
    await visit(`/sessions/${TOUR_ID}`);
    const started = page.locator("[data-call='invoke_agent__a1'] summary");
    await expect.poll(() => started.textContent()).toMatch(/tokens · \$0\.\d+/);
  });
});
