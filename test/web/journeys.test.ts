// @module-tag slow
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/library/library.ts";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { AGENT_FILE, AGENT_ID, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { openHome } from "../server/samples.ts";
import type { Visit } from "./visit.ts";
import { MISSING, visitorOf } from "./visit.ts";

async function tour(): Promise<Visit & { folder: string }> {
  const { folder } = homeWith(TOUR_HOME);
  return { folder, ...(await visitorOf(folder)) };
}

describe.skipIf(MISSING !== undefined)(`the app in a browser (${MISSING ?? "Chromium"})`, () => {
  test("the token is removed from the address and stored for the next visit", async () => {
    const { page, origin } = await tour();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(page.url()).toBe(`${origin}/`);
    await page.goto(`${origin}/sessions`);
    await page.getByRole("row").nth(1).waitFor();
  });

  test("the overview shows the library's totals", async () => {
    const { page, visit, folder } = await tour();
    await visit("/?period=all");
    const { totals } = await openHome(folder).usage({ by: ["model"] });
    const micro = totals.costMicroUsd ?? 0;
    await page.getByText("Cost", { exact: true }).first().waitFor();
    const cost = page.locator(".figure", { hasText: /^Cost/ }).locator(".value");
    expect(await cost.getAttribute("title")).toBe(`$${(micro / 1e6).toFixed(6)}`);
    const tokens = page.locator(".figure", { hasText: /^Tokens/ }).locator(".value");
    expect(await tokens.getAttribute("title")).toBe(totals.tokens.total.toLocaleString("en-GB"));
    const requests = page.locator(".figure", { hasText: /^Requests/ }).locator(".value");
    expect(await requests.textContent()).toBe(String(totals.requests));
  });

  test("a bar links to its days, and a day to its sessions", async () => {
    const { page, visit } = await tour();
    await visit("/?period=all&step=month");
    await page.getByRole("link", { name: /^Feb 2026: / }).click();
    await page.waitForURL(/since=2026-02-01&until=2026-02-28/);
    // Wait for the new answer: it replaces the old chart, also under the pointer.
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    await page
      .getByRole("link", { name: /^10 Feb 2026: / })
      .first()
      .click();
    await page.waitForURL(/\/sessions\?since=2026-02-10&until=2026-02-10/);
    await page.getByRole("link", { name: "Make total() accept empty lists" }).click();
    await page.waitForURL(new RegExp(`/sessions/${TOUR_ID}`));
    const heading = page.getByRole("heading", { level: 1 });
    await expect.poll(() => heading.textContent()).toBe("Make total() accept empty lists");
  });

  test("filters are in the address and survive a reload", async () => {
    const { page, visit } = await tour();
    await visit("/sessions");
    await page.getByLabel("Kind").selectOption("subagent");
    await page.waitForURL(/kind=subagent/);
    await page.reload();
    expect(await page.getByLabel("Kind").inputValue()).toBe("subagent");
    await expect.poll(() => page.locator(".list-row .title").count()).toBe(1);
    await page.getByLabel("Title, project or id").fill("no such thing");
    await page.getByText("Nothing matches.").waitFor();
  });

  test("a conversation shows answers, thoughts, diffs, todos, outputs and subagents", async () => {
    const { page, visit } = await tour();
    await visit(`/sessions/${TOUR_ID}`);
    await page.getByText("Why does total() fail on an empty list?").last().waitFor();
    await page.locator(".markdown pre code .hljs-keyword").first().waitFor();
    await page.locator(".markdown table").waitFor();
    expect(await page.getByText("Forget it, wrong file.").count()).toBe(0);
    await page.getByText("Thought Reading").click();
    await page.getByText("The file first.").waitFor();
    await page.locator("[data-call='replace__e1'] summary").click();
    await page.locator(".diff").waitFor();
    expect(await page.locator(".diff tr.added").count()).toBe(2);
    expect(await page.locator(".diff tr.removed").count()).toBe(1);
    await page.locator("[data-call='write_todos__w1'] summary").click();
    await page.getByLabel("completed").waitFor();
    await page.locator("[data-call='run_shell_command__t1'] summary").click();
    await page.getByText("exit code 1").last().waitFor();
    await page.locator("[data-call='invoke_agent__a1'] summary").click();
    await page.getByRole("button", { name: "Show the subagent's conversation" }).click();
    await page.locator(".nested").getByText("Only report.ts calls it.").last().waitFor();
    await page.getByRole("link", { name: "Open by itself" }).click();
    await page.waitForURL(new RegExp(AGENT_ID));
    await page.getByRole("link", { name: "parent session" }).waitFor();
  });

  test("a nested subagent shows what was replaced in its own conversation", async () => {
    const said = [user("s1", 28.6, "Find who calls total()."), model("s2", 29, "Looking.")];
    const summary = user("s3", 29.2, "<state_snapshot>Looked.</state_snapshot>");
    const agent = jsonl(
      header(AGENT_ID, { kind: "subagent" }),
      ...said,
      { $set: { messages: [summary] } },
      model("s4", 29.5, "Only report.ts calls it."),
    );
    const { folder } = homeWith({ ...TOUR_HOME, [AGENT_FILE]: agent });
    const { page, visit, origin } = await visitorOf(folder);
    await visit(`/sessions/${TOUR_ID}`);
    await page.locator("[data-call='invoke_agent__a1'] summary").click();
    await page.getByRole("button", { name: "Show the subagent's conversation" }).click();
    const nested = page.locator(".nested");
    await nested.getByText("Only report.ts calls it.").last().waitFor();
    expect(await nested.getByText("Looking.").count()).toBe(0);
    await nested.getByRole("button", { name: "show what it replaced" }).click();
    await nested.getByText("Looking.").waitFor();
    expect(page.url()).toBe(`${origin}/sessions/${TOUR_ID}`);
  });

  test("rewound messages are shown in place and can be linked to", async () => {
    const { page, visit, origin } = await tour();
    await visit(`/sessions/${TOUR_ID}`);
    await page.getByRole("button", { name: /taken back/ }).click();
    await page.locator(".message.rewound", { hasText: "Forget it, wrong file." }).waitFor();
    await page.goto(`${origin}/sessions/${TOUR_ID}#m-u2`);
    await page.reload();
    await page.locator("#m-u2.pointed").waitFor();
    expect(page.url()).toContain("show=everything");
  });

  test("raw entries open, and text can be found in a session", async () => {
    const { page, visit } = await tour();
    await visit(`/sessions/${TOUR_ID}`);
    const prompt = page.locator("#m-u1");
    await prompt.hover();
    await prompt.getByRole("button", { name: "Raw" }).click();
    const dialog = page.getByRole("dialog", { name: "Raw entry" });
    await dialog.getByText('"type": "user"').waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("f");
    await page.getByLabel("Find in this session").fill("exit code 1");
    await page.getByText("1 of 1").waitFor();
    await expect.poll(() => page.locator("#m-g2.pointed").count()).toBe(1);
  });

  test("search runs while typing and links to the message", async () => {
    const { page, visit } = await tour();
    await visit("/search");
    await page.getByLabel("Search", { exact: true }).fill("start value");
    await page.locator("a.hit mark").first().waitFor();
    expect(page.url()).toContain("q=start+value");
    await page.locator("a.hit").first().click();
    await page.locator("#m-g2.pointed").waitFor();
    await page.goBack();
    await expect.poll(() => page.locator("a.hit").count()).toBe(1);
  });

  test("an unfinished phrase shows a hint, not an error", async () => {
    const { page, visit } = await tour();
    await visit("/search");
    const field = page.getByLabel("Search", { exact: true });
    await field.fill('"start val');
    await page.getByText("phrase is not closed").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await field.fill("(start");
    await page.getByText("parenthesis is not closed").waitFor();
    await field.fill('"start value"');
    await page.locator("a.hit mark").first().waitFor();
  });

  test("an image in a prompt is shown from the record", async () => {
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" +
      "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const content = [
      { text: "What is this?" },
      { inlineData: { mimeType: "image/png", data: pixel } },
      { inlineData: { mimeType: "image/svg+xml", data: "PHN2Zy8+" } },
    ];
    const id = "1111beef-0000-4000-8000-000000000000";
    const { folder } = homeWith({
      "chats/session-2026-02-10T17-28-1111beef.jsonl": jsonl(
        header(id),
        user("u1", 1, { content }),
        model("g1", 2, "A pixel."),
      ),
    });
    const { page, visit } = await visitorOf(folder);
    await visit(`/sessions/${id}`);
    const image = page.getByAltText("Image 1 sent along");
    await image.scrollIntoViewIfNeeded();
    const width = "document.querySelector('.images img').naturalWidth";
    await expect.poll(() => page.evaluate(width)).toBe(1);
    expect(await page.locator(".images img").count()).toBe(1);
  });

  test("a session can be saved in another format", async () => {
    const { page, visit } = await tour();
    await visit(`/sessions/${TOUR_ID}`);
    const saved = page.waitForEvent("download");
    await page.getByLabel("Save this session as").selectOption("markdown");
    expect((await saved).suggestedFilename()).toMatch(/\.md$/);
  });

  test("the tools, doctor and not-found pages open", async () => {
    const { page, visit, folder } = await tour();
    await visit("/tools");
    await page.getByRole("cell", { name: "read_file" }).waitFor();
    const sessionRetention = { enabled: true, maxAge: "14d" };
    const settings = JSON.stringify({ general: { sessionRetention } });
    writeFileSync(join(folder, ".gemini", "settings.json"), settings);
    await visit("/doctor");
    await page.getByText("Sessions are deleted after 14 days").waitFor();
    await page.getByRole("heading", { name: /^Will be deleted, not archived: \d/ }).waitFor();
    // The button above the note does it: a link would lead to this very page.
    expect(await page.locator(".risk.loud").getByRole("link").count()).toBe(0);
    await visit("/nowhere");
    await expect.poll(() => page.getByText("Page not found").count()).toBe(1);
  });

  test("two sessions with the same id, of two agents, each open by themselves", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const [claude, cwd] = [join(folder, ".claude"), "/home/ada/projects/ledger"];
    mkdirSync(join(claude, "projects", "ledger"), { recursive: true });
    const message = { role: "user", content: "The other agent's question" };
    const record = { type: "user", uuid: "c1", parentUuid: null, sessionId: TOUR_ID, cwd, message };
    const line = JSON.stringify({ ...record, timestamp: "2026-11-01T10:00:00.000Z" });
    writeFileSync(join(claude, "projects", "ledger", `${TOUR_ID}.jsonl`), `${line}\n`);
    const environment = { homeDir: "/home/ada", env: { POLLUX_HOME: join(folder, "pollux") } };
    const roots = [join(folder, ".gemini"), claude];
    const serve = { open: async () => open({ roots, environment }) };
    const { page, visit } = await visitorOf(folder, { serve });
    for (const agent of ["claude-code", "gemini-cli"]) {
      await visit(`/sessions?q=${TOUR_ID}&agent=${agent}`);
      const link = page.locator(".list-row a.title").first();
      const title = (await link.textContent()) ?? "";
      await link.click();
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      expect(decodeURIComponent(page.url())).toContain(`/sessions/${agent}:${TOUR_ID}`);
    }
  });

  test("an unknown session shows an error", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder, { expects: /404/ });
    await visit("/sessions/nobody");
    const alert = page.getByRole("alert");
    await expect.poll(() => alert.textContent()).toContain('No session matches "nobody".');
    await expect.poll(() => alert.locator("code").first().textContent()).toBe("pollux sessions");
  });

  test("an empty home shows what to do", async () => {
    const { folder } = homeWith({ "logs.json": "[]" });
    const { page } = await visitorOf(folder);
    await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
    await page.getByText("pollux serve --demo").waitFor();
    await expect.poll(() => page.getByText("on this machine").count()).toBe(1);
  });

  test("numbers and dates follow the browser's locale", async () => {
    const { folder } = homeWith(TOUR_HOME);
    const { page, visit } = await visitorOf(folder, { locale: "de-DE" });
    await visit("/?period=all&step=month");
    const bar = page.getByRole("link", { name: /^Feb\. 2026: 0,\d\d/ });
    await expect.poll(() => bar.count()).toBe(1);
  });
});
