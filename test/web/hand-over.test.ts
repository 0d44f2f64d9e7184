// @module-tag slow
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { open } from "../../src/library/library.ts";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

describe.skipIf(MISSING !== undefined)(`handover (${MISSING ?? "Chromium"})`, () => {
  test("shows what would be written, writes it, and can be undone", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const project = join(folder, "work");
    mkdirSync(project);
    const { page, visit } = await visitorOf(folder);
    await visit(`/sessions/${TOUR_ID}`);
    await page.getByLabel("Hand over to").selectOption({ label: "to Gemini CLI" });
    const dialog = page.getByRole("dialog", { name: "Hand over to Gemini CLI" });
    const field = dialog.getByRole("textbox");
    await field.fill(join(folder, "nowhere"));
    await field.blur();
    await dialog.getByText("This folder does not exist").waitFor();
    const write = dialog.getByRole("button", { name: "Write it" });
    expect(await write.isDisabled()).toBe(true);
    await field.fill(project);
    await field.blur();
    await dialog.getByText("In the folder").waitFor();
    const text = (await dialog.locator(".confirm-text").textContent()) ?? "";
    expect(text).toMatch(/Includes 2 prompts/);
    expect(text).toMatch(/Writes .*\.gemini.*\.jsonl?/);
    const file = (await dialog.locator(".confirm-text code").first().textContent()) ?? "";
    expect(existsSync(file)).toBe(false);
    await write.click();
    await dialog.getByText("The new session was written.").waitFor();
    expect(await dialog.locator("pre").textContent()).toContain(`cd ${project} && `);
    await dialog.getByRole("button", { name: "Undo" }).click();
    await dialog.getByText("The new session was removed.").waitFor();
  });

  test("shows both sessions as one conversation and marks where the new one begins", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pollux-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(join(import.meta.dirname, "../fixtures/handover"), folder, { recursive: true });
    const home = { roots: [folder], environment: { homeDir: folder, env: {} } };
    const { page, visit } = await visitorOf(folder, { serve: { open: async () => open(home) } });
    await visit("/sessions/cf8b0728-04aa-4b89-a9c8-3889c78a12bb");
    const mark = page.getByText(
      "Messages up to here come from the session that this one continues",
    );
    await mark.waitFor({ timeout: 20_000 });
    expect(await mark.count()).toBe(1);
    const next = mark.locator("xpath=following-sibling::article[1]");
    expect(await next.textContent()).toContain("Check hostile by screen: go on.");
    const before = page.locator("article", { hasText: "That page tried to give orders." });
    const [above, below] = [await before.first().boundingBox(), await mark.boundingBox()];
    expect(above && below && above.y < below.y).toBe(true);
    // Head and table count only the calls of this session, not those of the earlier one.
    await page.locator(".facts").getByRole("link", { name: "1 call" }).click();
    await page.getByText("1 of 1 call").waitFor();
  });
});
