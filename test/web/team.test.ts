// @module-tag slow
import { hostname } from "node:os";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "../cli/run.ts";
import { fact, sessionRows } from "../contracts/store-samples.ts";
import { NOTHING } from "../store/one-file.ts";
import { who } from "../store/postgres/teams.ts";
import type { Served } from "../sync/served.ts";
import { idle, machineOf, postgres, served, token } from "../sync/served.ts";
import { MISSING, pageAt } from "./visit.ts";
import type { Visit } from "./visit.ts";

const missing = postgres.isAvailable ? MISSING : "no PostgreSQL";

/** Six people of team red and two of team blue, each with one session. */
async function teams(): Promise<Served> {
  const server = await served();
  const { admin } = server;
  for (const [at, name] of ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal"].entries()) {
    const red = at < 6;
    const subject = `${name}@example.com`;
    const { id } = await admin.put({ subject, name, teams: [red ? "red" : "blue"] });
    const store = admin.team.storeOf(who(id));
    const usage = [fact(`of-${name}`, "r1", { at: "2026-05-01T09:00:00.000Z" })];
    await store.commit({ ...NOTHING, sessions: [sessionRows(`of-${name}`, { usage })] });
  }
  await admin.put({ subject: "pay@example.com", name: "pay", roles: ["payer"] });
  await admin.put({ subject: "root@example.com", name: "root", roles: ["admin"] });
  return server;
}

/** Visits as through a reverse proxy: with its signed token and without a key. */
async function throughProxy(
  { url }: Served,
  subject: string,
  { groups = [], expects = /^$/ }: { groups?: readonly string[]; expects?: RegExp } = {},
): Promise<Pick<Visit, "page" | "visit">> {
  const headers = { "X-Token": await token(subject, { groups }) };
  return pageAt(url, { headers, expects }, []);
}

/** Sends the demo sessions of a person to the server and returns one of them. */
async function sentBy(server: Served, subject: string): Promise<{ id: string; title: string }> {
  const { home, env } = await machineOf(server, subject);
  await run(["sync", "--now", "--root", home], { env });
  await idle(server.admin);
  const { sessions } = JSON.parse(
    (await run(["sessions", "--json", "--root", home], { env })).out,
  ) as { sessions: { id: string; title: string; kind: string }[] };
  const found = sessions.find(({ kind }) => kind === "main");
  if (!found) throw new RangeError("There is no session.");
  return found;
}

describe.skipIf(missing !== undefined)(`a team's page (${missing ?? "Chromium"})`, () => {
  /** A server for tests that do not change what other tests read. */
  let shared: Served;
  beforeAll(async () => void (shared = await teams()), 120_000);

  test("shows sums to payers, and withholds those about too few people", async () => {
    const { page, visit } = await throughProxy(shared, "pay@example.com");
    await visit("/team?since=2026-01-01");
    const usage = page.locator(".card", { hasText: "Usage" });
    // Red's sum would reveal blue's, so both are shown together.
    await usage.getByText("small groups, combined").waitFor();
    expect(await usage.locator("tbody td.number").first().textContent()).toBe("8");
    await usage.getByRole("link", { name: "Person" }).click();
    await page.waitForURL(/by=person/);
    await usage.getByText("small groups, combined").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("ada");
    await visit("/team?since=2026-01-01&team=blue");
    await usage.getByText("Withheld: the sums would reveal fewer than 5").waitFor();
    // The sum without red would be blue's.
    await visit("/team?since=2026-01-01&by=month&team=red");
    await usage.getByText("Withheld: the sums would reveal fewer than 5").waitFor();
    await visit("/team?since=2026-01-01&by=month");
    await usage.getByText("May 2026").waitFor();
    await visit("/team?since=2020-01-01&until=2020-01-02");
    await usage.getByText("Nothing in this period.").waitFor();
    const sending = page.locator(".card", { hasText: "Who sends" });
    await sending.getByText("withheld: it would reveal fewer than 5 people").first().waitFor();
  }, 120_000);

  test("shows people only their own sessions, and lets them add and revoke machines", async () => {
    const { page, visit } = await throughProxy(shared, "ada@example.com", { groups: ["red"] });
    await visit("/sessions");
    await page.getByRole("link", { name: "About of-ada" }).waitFor();
    expect(await page.locator("main").textContent()).not.toContain("of-bob");
    await page.getByRole("link", { name: "Team", exact: true }).click();
    await page.getByText("None of your machines sends anything.").waitFor();
    expect(await page.getByText("Usage").count()).toBe(0);
    await page.getByRole("button", { name: "Add a machine" }).click();
    await page.getByText(/pollux sync enrol \w{4}-\w{4}-\w{4} --to http/).waitFor();
    await page.getByText("Nobody. Others must give a reason").waitFor();
    const machine = await machineOf(shared, "ada@example.com");
    await visit("/team");
    const revoke = page.getByRole("button", { name: `Revoke ${hostname()}` });
    await revoke.click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave it" }).click();
    await revoke.click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("None of your machines sends anything.").waitFor();
    const sent = await run(["sync", "--now", "--root", machine.home], { env: machine.env });
    expect(sent).toMatchObject({ err: expect.stringContaining("revoked") });
  }, 120_000);

  test("shows admins who does not send", async () => {
    const { page, visit } = await throughProxy(shared, "root@example.com");
    await visit("/team");
    const row = page.locator("tr", { hasText: "hal" });
    await row.getByText("no machine").waitFor();
    await page.getByText("Everything received was read.").waitFor();
    await page.getByText("Nothing was erased yet.").waitFor();
    expect(await page.getByRole("heading", { name: "Usage" }).count()).toBe(0);
  }, 120_000);

  test("shows sessions opened by others on every page, and returns to one's own", async () => {
    const server = await teams();
    const { id, title } = await sentBy(server, "ada@example.com");
    const ada = await throughProxy(server, "ada@example.com", { groups: ["red"] });
    await ada.visit(`/sessions/${id}`);
    const opening = ada.page.getByRole("combobox", { name: "Who else may see this session" });
    const opened = ada.page.waitForResponse((answer) => answer.url().endsWith("/api/me/open"));
    await opening.selectOption("Opened to red");
    await opened;
    await ada.visit(`/sessions/${id}`);
    await expect.poll(() => opening.inputValue()).toBe("to red");
    await ada.visit("/team");
    await ada.page.getByRole("listitem").filter({ hasText: "of yours, to red" }).waitFor();
    const { page, visit } = await throughProxy(server, "bob@example.com", { groups: ["red"] });
    await visit("/sessions");
    await page.getByRole("link", { name: "About of-bob" }).waitFor();
    await page
      .getByRole("combobox", { name: "Whose sessions" })
      .selectOption("ada: 1 session opened");
    await page.getByRole("link", { name: title }).click();
    await page.getByRole("heading", { name: title }).waitFor();
    expect(page.url()).toContain("owner=ada");
    expect(await page.getByRole("button", { name: "Star" }).count()).toBe(0);
    await page.getByRole("link", { name: "Tools", exact: true }).click();
    await page.getByText("Sessions of ada@example.com, as far as you may see them").waitFor();
    expect(page.url()).toContain("owner=ada");
    const tab = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Sessions", exact: true }).click({ button: "middle" });
    await expect.poll(async () => (await tab).url()).toContain("owner=ada");
    await page.getByRole("button", { name: "Back to yours" }).click();
    await page.getByRole("link", { name: "Sessions", exact: true }).click();
    await page.getByRole("link", { name: "About of-bob" }).waitFor();
    // The search lists what others opened, below one's own results.
    const [word = ""] = /[\p{L}\p{N}]+/u.exec(title) ?? [];
    await visit(`/search?q=${encodeURIComponent(word)}`);
    const found = page.getByRole("region", { name: "Opened by ada" });
    await found.getByRole("link", { name: title }).first().click();
    await page.getByRole("heading", { name: title }).waitFor();
    expect(page.url()).toContain("owner=ada");
    const cyd = await throughProxy(server, "hal@example.com", { groups: ["blue"], expects: /404/ });
    await cyd.visit("/sessions?owner=ada@example.com");
    await cyd.page
      .getByText('"ada@example.com" has not opened a session to you.')
      .first()
      .waitFor();
  }, 120_000);

  test("requires a reason from auditors, and shows it to the person", async () => {
    const server = await teams();
    const { id, title } = await sentBy(server, "ada@example.com");
    await server.admin.put({ subject: "aud@example.com", name: "aud", roles: ["auditor"] });
    const { page, visit } = await throughProxy(server, "aud@example.com");
    await visit("/team");
    await page.getByLabel("Sign-in name of the person").fill("ada@example.com");
    await page.getByLabel("Session id, or its beginning").fill(id.slice(0, 13));
    await page.getByRole("button", { name: "Look" }).click();
    expect(page.url()).toContain("/team");
    await page.getByLabel("Reason").fill("incident 7");
    await page.getByRole("button", { name: "Look" }).click();
    await page.getByRole("heading", { name: title }).waitFor();
    const ada = await throughProxy(server, "ada@example.com", { groups: ["red"] });
    await ada.visit("/team");
    await ada.page.getByText(/aud at \w+: incident 7/).waitFor();
  }, 120_000);

  test.each([
    { says: "401 with its own page", reply: { status: 401, body: "<h1>Unauthorized</h1>" } },
    { says: "403 with its own page", reply: { status: 403, body: "<h1>Forbidden</h1>" } },
    {
      says: "with a redirect",
      reply: { status: 302, headers: { location: "/oauth2" } },
    },
  ])(
    "asks the user to sign in when the proxy answers $says",
    async ({ reply }) => {
      const { page, visit } = await throughProxy(shared, "ada@example.com", {
        groups: ["red"],
        expects: /Failed to load/,
      });
      await page.route("**/api/**", (route) => route.fulfill(reply));
      await visit("/sessions");
      await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
      expect(await page.getByText("This browser has no key").count()).toBe(0);
      await page.unroute("**/api/**");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("link", { name: "About of-ada" }).waitFor();
    },
    120_000,
  );
});
