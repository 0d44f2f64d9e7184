// @module-tag slow
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { NOW } from "../server/samples.ts";
import type { Visit } from "./visit.ts";
import { MISSING, visitorOf } from "./visit.ts";

const ID = "55555555-0000-4000-8000-000000000000";
const CHAT = "chats/session-2026-02-10T17-28-55555555.jsonl";
const WRITTEN = "export function half(n: number): number {\n  return n / 2;\n}\n";

interface Kept extends Visit {
  /** The file written by the agent, and the session file. */
  file: string;
  chat: string;
}

/** A kept project with one file written by an agent; then `gone` is removed. */
async function kept({ gone }: { gone?: "file" | "chat" } = {}): Promise<Kept> {
  const { folder: made } = homeWith({ [CHAT]: "" });
  const folder = realpathSync(made);
  const file = join(folder, "project", "half.ts");
  const chat = join(folder, ".gemini", "tmp", "ledger", CHAT);
  mkdirSync(join(folder, "project"));
  writeFileSync(join(folder, ".gemini", "tmp", "ledger", ".project_root"), join(folder, "project"));
  const write = call("write_file__w1", "write_file", {
    args: { file_path: file, content: WRITTEN },
    output: "Successfully created file.",
    seconds: 4,
  });
  writeFileSync(
    chat,
    jsonl(
      header(ID),
      user("u1", 1, "Write a function that halves"),
      model("g1", 3, { text: "Here it is.", toolCalls: [write] }),
    ),
  );
  writeFileSync(file, `// by hand\n${WRITTEN}`);
  const environment = { homeDir: folder, env: {} };
  const options = { environment, archive: join(folder, "archive.db"), clock: () => NOW };
  const openKept = async () => open({ ...options, roots: [join(folder, ".gemini")] });
  const first = await openKept();
  await first.keep(NOW);
  await first.close();
  if (gone !== undefined) rmSync(gone === "file" ? file : chat);
  const visit = await visitorOf(folder, { serve: { open: openKept } });
  return { ...visit, file, chat };
}

describe.skipIf(MISSING !== undefined)(`files (${MISSING ?? "Chromium"})`, () => {
  test("a change links to the blame view, and a line links to its prompt", async () => {
    const { page, visit } = await kept();
    await visit(`/sessions/${ID}?view=changes`);
    await page.getByRole("link", { name: "Who wrote each line" }).click();
    const lines = page.locator(".blame tr");
    await expect.poll(() => lines.count()).toBe(4);
    await expect.poll(() => lines.nth(0).textContent()).toContain("not by an agent, or unknown");
    await expect.poll(() => lines.nth(1).textContent()).toContain("Write a function that halves");
    await page.getByText("3 lines of 4 are explained by 1 recorded edit").waitFor();
    await lines.nth(1).getByRole("link").click();
    await page.locator("#m-g1.pointed").waitFor();
  });

  test("a missing file is shown from recorded edits, and its history stays", async () => {
    const { page, visit, file } = await kept({ gone: "file" });
    await visit(`/uses?path=${encodeURIComponent(file)}&view=blame`);
    await page.getByText("its lines after the last recorded edit").waitFor();
    await page.getByText("3 lines of 3 are explained by 1 recorded edit").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("In 1 session, the newest first.").waitFor();
    const uses = page.locator("a.use", { hasText: "Write a function that halves" });
    await expect.poll(() => uses.count()).toBe(1);
  });

  test("a kept session whose file is gone is restored after a confirmation", async () => {
    const { page, visit, chat } = await kept({ gone: "chat" });
    await visit(`/sessions/${ID}`);
    await page.getByRole("button", { name: "Copy resume command" }).waitFor();
    await page.getByRole("button", { name: "Restore it" }).click();
    const dialog = page.getByRole("dialog", { name: "Restore it" });
    await dialog.getByText("so that it can be resumed there").waitFor();
    expect(existsSync(chat)).toBe(false);
    await dialog.getByRole("button", { name: "Restore it" }).click();
    await expect.poll(() => existsSync(chat)).toBe(true);
  });
});
