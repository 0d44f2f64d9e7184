// @module-tag slow
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import { sources } from "../../src/sources/index.ts";
import { homeWith } from "../samples/home.ts";
import { tinyAgent } from "../samples/tiny-agent.ts";
import { TOUR_HOME } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

const repository = join(import.meta.dirname, "..", "..");
const fixtures = join(repository, "test", "fixtures", "corpora");

/** Opens a page on the agent folders `roots`. */
async function opened(roots: string | string[], path: string): Promise<Page> {
  const { folder } = homeWith(TOUR_HOME);
  const environment = { homeDir: "/home/ada", env: { POLLUX_HOME: join(folder, "pollux") } };
  const options = { roots: [roots].flat(), environment, sources: [...sources, tinyAgent] };
  const serve = { open: async () => open(options) };
  const { page, visit } = await visitorOf(folder, { width: 1440, serve });
  await visit(path);
  return page;
}

const PATCHED = "/sessions/01a1d04f-791e-7935-8968-f4dd46c1a357";

describe.skipIf(MISSING !== undefined)(`sessions of each agent (${MISSING ?? "Chromium"})`, () => {
  test("a new agent has a name in lists, and pages like the others", async () => {
    const tiny = join(repository, "test", "fixtures", "tiny-agent", ".tiny");
    const page = await opened([tiny, join(repository, "demo", "home", ".codex")], "/sessions");
    await page.locator(".list-row .badge.agent", { hasText: "Tiny Agent" }).first().waitFor();
    await page.getByRole("link", { name: "What is the total?" }).click();
    await expect.poll(() => page.getByText("42.").count()).toBe(1);
    await page.getByRole("link", { name: "Doctor" }).click();
    const versions = page.getByRole("row", { name: "Versions of" });
    await expect
      .poll(() => versions.allTextContents())
      .toEqual(["Versions of Codex0.32–0.147 (2)", "Versions of Tiny Agent1 (2)"]);
  });

  test("calls are named by their command, and by their file within the project", async () => {
    const page = await opened(join(repository, "demo", "home", ".codex"), PATCHED);
    const calls = page.locator(".tool summary .about");
    await expect
      .poll(() => calls.allTextContents())
      .toEqual([
        "cat src/stock.ts && grep -rn 'take(' src",
        "src/stock.ts",
        "npm test",
        "src/stock.ts",
      ]);
  });

  test("patches without line numbers combine to one diff", async () => {
    const page = await opened(
      join(repository, "demo", "home", ".codex"),
      `${PATCHED}?view=changes`,
    );
    await page.getByRole("button", { name: "All at once", pressed: true }).waitFor();
    const added = page.locator(".diff .added");
    expect(await added.count()).toBe(6);
    expect(await added.nth(1).textContent()).toContain("takeAll(items: { name: string");
    expect(await page.locator(".diff .removed").count()).toBe(0);
  });

  test("a plan is a list, and usage that was not recorded is not zero", async () => {
    const root = join(fixtures, "codex", "0.20.0", "plan", ".codex");
    const page = await opened(root, "/sessions/54db612e-081d-4ac5-bb7a-b01c654e4087");
    await page.getByText("no usage recorded").waitFor();
    await page.getByText("2 todos, 0 done").click();
    expect(await page.locator(".todos li").allTextContents()).toEqual([
      "◐ Read the ledger",
      "☐ Add subtract",
    ]);
  });

  test("what a compaction replaced is shown on request", async () => {
    const root = join(fixtures, "claude-code", "2.1.325", "tui-compact", ".claude");
    const page = await opened(root, "/sessions/565d9add-3162-45a6-ac7d-0a2de60636da");
    await page.getByRole("button", { name: "5 replaced" }).waitFor();
    expect(await page.locator(".message.rewritten").count()).toBe(0);
    await page.getByRole("link", { name: "show what it replaced" }).click();
    await expect.poll(() => page.locator(".message.rewritten").count()).toBe(4);
  });

  test("a subagent's page begins with its task", async () => {
    const root = join(fixtures, "claude-code", "2.1.325", "subagent", ".claude");
    const page = await opened(root, "/sessions/agent-acf322725b0eceeca");
    const task = page.locator(".message.prompt .said");
    await expect.poll(() => task.allTextContents()).toEqual(["[subtask A] Find the TODO."]);
  });

  test("a list does not ask for the agents with every row", async () => {
    const roots = [".codex", ".qwen"].map((name) => join(repository, "demo", "home", name));
    const page = await opened(roots, "/sessions");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.locator(".list-row .badge.agent").nth(3).waitFor();
    expect(asked.filter((path) => path === "/api/about").length).toBeLessThanOrEqual(2);
  });

  test("texts added to a prompt are folded to one line", async () => {
    const root = join(fixtures, "claude-code", "2.1.325", "image", ".claude");
    const page = await opened(root, "/sessions/b6db894c-043d-4b56-a868-30b6574ad054");
    const prompt = page.locator(".message.prompt");
    await prompt.getByText(/6 parts, [\d,]+ characters/).waitFor();
    expect(await prompt.locator("details").count()).toBe(1);
    await prompt.locator("img").waitFor();
  });
});
