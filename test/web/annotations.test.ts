// @module-tag slow
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { AGENT_ID, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { NOW } from "../server/samples.ts";
import type { Visit } from "./visit.ts";
import { MISSING, visitorOf } from "./visit.ts";

/** Two sessions and a subagent, kept in an archive beside the home. */
async function kept(files: Record<string, string> = {}): Promise<Visit> {
  const other = "33333333-0000-4000-8000-000000000000";
  const { folder } = homeWith({
    ...TOUR_HOME,
    "chats/session-2026-02-11T10-00-33333333.jsonl": jsonl(
      header(other),
      user("o1", 1, "Another question"),
      model("o2", 2, "Another answer."),
    ),
    ...files,
  });
  const environment = { homeDir: "/home/ada", env: {} };
  const options = { environment, archive: join(folder, "archive.db"), clock: () => NOW };
  const openKept = async () => open({ ...options, roots: [join(folder, ".gemini")] });
  const first = await openKept();
  await first.keep(NOW);
  await first.close();
  return visitorOf(folder, { serve: { open: openKept } });
}

describe.skipIf(MISSING !== undefined)(`annotations (${MISSING ?? "Chromium"})`, () => {
  test("star, tag, title and note are stored and filter the list", async () => {
    const { page, visit } = await kept();
    await visit(`/sessions/${TOUR_ID}`);
    await page.getByRole("button", { name: "Star", exact: true }).click();
    const star = page.getByRole("button", { name: "Star", exact: true });
    await expect.poll(() => star.getAttribute("aria-pressed")).toBe("true");
    await page.getByLabel("Add a tag").fill("migration");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "#migration" }).waitFor();
    await page.getByRole("button", { name: "+ title, note", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Your own title and note" });
    await dialog.getByLabel("Title").fill("The empty list");
    await dialog.getByLabel("Note").fill("Ask Ada about it");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Ask Ada about it").waitFor();
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).textContent())
      .toBe("The empty list");
    await page.getByRole("link", { name: "#migration" }).click();
    await page.waitForURL(/tag=migration/);
    const titles = page.locator(".list-row .title");
    await expect.poll(() => titles.allTextContents()).toEqual(["★ The empty list"]);
    await visit("/search?q=Ada&in=notes");
    await expect.poll(() => page.locator("a.hit mark").count()).toBe(1);
  });

  test("a message can have a star, tags and a note, and is found by them", async () => {
    const { page, visit } = await kept();
    await visit(`/sessions/${TOUR_ID}`);
    const message = page.locator("#m-g2");
    await message.hover();
    const star = message.getByRole("button", { name: "Star this message" });
    await star.click();
    await expect.poll(() => star.getAttribute("aria-pressed")).toBe("true");
    await message.getByRole("button", { name: "+ note, tag" }).click();
    const dialog = page.getByRole("dialog", { name: "Your own note and tags" });
    expect(await dialog.getByLabel("Title").count()).toBe(0);
    await dialog.getByLabel("Add a tag").fill("cause");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Note").fill("Here it was understood");
    await dialog.getByRole("button", { name: "Save" }).click();
    await message.getByText("Here it was understood").waitFor();
    await message.getByRole("link", { name: "#cause" }).waitFor();
    await visit("/search?q=understood&in=notes");
    await page.locator("a.hit").click();
    await page.locator("#m-g2.pointed").getByText("Here it was understood").waitFor();
  });

  test("several sessions can be tagged, saved, compared and forgotten at once", async () => {
    const { page, visit } = await kept();
    await visit("/sessions?kind=main");
    await expect.poll(() => page.locator(".pick").count()).toBe(2);
    await page.locator(".pick").nth(0).check();
    await page.locator(".pick").nth(1).check();
    const bar = page.getByRole("region", { name: "Selected sessions" });
    await bar.getByLabel("Add a tag").fill("both");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".list-row", { hasText: "#both" }).count()).toBe(2);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      bar.getByLabel("Save the selected sessions as").selectOption("markdown"),
    ]);
    expect(download.suggestedFilename()).toBe("2-sessions-markdown.zip");
    const files = unzipSync(await readFile(await download.path()));
    const texts = Object.values(files).map((file) => Buffer.from(file).toString());
    expect(Object.keys(files).every((name) => name.endsWith(".md"))).toBe(true);
    expect(texts.filter((text) => text.includes("Another question"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("Why does total() fail"))).toHaveLength(1);
    await bar.getByText("Saved: 2-sessions-markdown.zip").waitFor();
    await page.locator(".pick").nth(1).uncheck();
    await bar.getByRole("button", { name: "Forget…" }).click();
    const dialog = page.getByRole("dialog", { name: "Forget these sessions" });
    await dialog.getByText("This cannot be undone.").waitFor();
    await dialog.getByRole("button", { name: "Forget permanently" }).click();
    await dialog.getByText(/^\d sessions? forgotten\.$/).waitFor();
  });

  test("two sessions can be compared side by side", async () => {
    const { page, visit } = await kept();
    await visit(`/compare?sessions=${TOUR_ID},33333333-0000-4000-8000-000000000000`);
    await page.getByRole("row", { name: /^Prompts 3 1 / }).waitFor();
    expect(await page.getByRole("row", { name: /^Cost \$/ }).count()).toBe(1);
    expect(page.url()).not.toContain(AGENT_ID);
  });

  test("a file links to its sessions and prompts, and a tool to its uses", async () => {
    const { page, visit } = await kept();
    await visit("/tools");
    await page.getByRole("link", { name: /total\.ts$/ }).click();
    await page.waitForURL(/\/uses\?path=/);
    const uses = page.locator("a.use");
    await expect.poll(() => uses.count()).toBe(2);
    expect(await uses.first().textContent()).toContain("Why does total() fail on an empty list?");
    await uses.last().click();
    await page.locator("#m-g2.pointed").waitFor();
    await visit("/uses?tool=Bash&outcome=error");
    await page.getByText("exit code 1").waitFor();
  });

  test("insights show the data they are based on", async () => {
    const { page, visit } = await kept();
    await visit("/insights?period=all");
    await page.getByRole("heading", { name: "Kinds of work" }).waitFor();
    expect(await page.locator("main").textContent()).toMatch(/3 sessions, \d+ requests/);
  });

  test("secrets are masked until the user switches that off", async () => {
    const secret = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    const id = "44444444-0000-4000-8000-000000000000";
    const { page, visit } = await kept({
      "chats/session-2026-02-12T10-00-44444444.jsonl": jsonl(
        header(id),
        user("s1", 1, `The token is ${secret}, keep it`),
        model("s2", 2, "I will."),
      ),
    });
    await visit(`/sessions/${id}`);
    await page
      .getByText(/The token is \[secret:/)
      .last()
      .waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("switch", { name: /secrets/ }).click();
    await page.getByText(secret).last().waitFor();
    await page.getByRole("switch", { name: /secrets/ }).click();
    await expect.poll(() => page.content()).not.toContain(secret);
  });
});
