// @module-tag slow
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { MISSING, visitorOf } from "./visit.ts";

describe.skipIf(MISSING !== undefined)(`handing over (${MISSING ?? "Chromium"})`, () => {
  test("first what would be written, then the writing, and the way back", async () => {
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
    await dialog.getByText("That folder is not there").waitFor();
    const write = dialog.getByRole("button", { name: "Write it" });
    expect(await write.isDisabled()).toBe(true);
    await field.fill(project);
    await field.blur();
    await dialog.getByText("In the folder").waitFor();
    const text = (await dialog.locator(".confirm-text").textContent()) ?? "";
    expect(text).toMatch(/Takes along 2 prompts/);
    expect(text).toMatch(/Writes .*\.gemini.*\.jsonl?/);
    const file = (await dialog.locator(".confirm-text code").first().textContent()) ?? "";
    expect(existsSync(file)).toBe(false);
    await write.click();
    await dialog.getByText("It is there.").waitFor();
    expect(await dialog.locator("pre").textContent()).toContain(`cd ${project} && `);
    await dialog.getByRole("button", { name: "Undo" }).click();
    await dialog.getByText("It was taken away again.").waitFor();
  });
});
