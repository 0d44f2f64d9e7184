// @module-tag slow
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { serve } from "../../src/server/serve.ts";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { TOUR_FILE, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { NOW, openHome, webFolder } from "../server/samples.ts";
import { MISSING, visitorOf } from "./visit.ts";

describe.skipIf(MISSING !== undefined)(`live updates (${MISSING ?? "Chromium"})`, () => {
  test("a growing session is followed, and opened parts stay open", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder, { serve: { now: () => Date.now() } });
    await visit(`/sessions/${TOUR_ID}`);
    await page.locator("[data-call='read_file__r1'] summary").click();
    const file = join(folder, ".gemini", "tmp", "ledger", TOUR_FILE);
    appendFileSync(file, jsonl(user("u9", 60, "And now?"), model("g9", 61, "Now it **grows**.")));
    await page.locator("strong", { hasText: "grows" }).waitFor();
    const opened = page.locator("[data-call='read_file__r1'] .block");
    expect(await opened.count()).toBeGreaterThan(0);
  });

  test("a new session appears in the list by itself", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder, { serve: { now: () => Date.now() } });
    await visit("/sessions");
    await page.locator(".list-row .title").first().waitFor();
    const chats = join(folder, ".gemini", "tmp", "ledger", "chats");
    mkdirSync(chats, { recursive: true });
    const text = jsonl(
      header("11112222-new"),
      user("n1", 90, "A brand new one"),
      model("n2", 91, "Hi"),
    );
    writeFileSync(join(chats, "session-2026-02-10T17-30-11112222.jsonl"), text);
    const link = page.getByRole("link", { name: "A brand new one" });
    await expect.poll(() => link.count()).toBe(1);
  });

  test("an open page reports that the server is gone, and recovers", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const expects = /ERR_|401|Failed to (load|fetch)|network/i;
    const { page, server, origin } = await visitorOf(folder, { expects });
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await server.stop();
    await page.getByRole("alert").getByText("Pollux does not answer").waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
    const again = await serve({
      open: async () => openHome(folder),
      now: () => NOW,
      host: "127.0.0.1",
      port: server.port,
      webFolder,
      version: "0.0.0",
    });
    onTestFinished(() => again.stop());
    await page.getByRole("heading", { name: "This browser has no key" }).waitFor();
    await page.getByLabel("Address").fill(again.url);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${origin}/`);
  });

  test("a password opens the page without a token", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const serveOptions = { host: "0.0.0.0", password: "open sesame" };
    const { page, origin } = await visitorOf(folder, { serve: serveOptions, expects: /401/ });
    await page.evaluate("localStorage.clear()");
    await page.goto(`${origin}/sessions`);
    await page.getByRole("heading", { name: "Password" }).waitFor();
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("Wrong password.").waitFor();
    await page.getByLabel("Password").fill("open sesame");
    await page.getByRole("button", { name: "Open" }).click();
    await expect.poll(() => page.locator(".list-row .title").count()).toBe(2);
  });
});
