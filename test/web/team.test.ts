// @module-tag slow
import { describe, expect, test } from "vitest";
import { fact, sessionRows } from "../contracts/store-samples.ts";
import { NOTHING } from "../store/one-file.ts";
import { who } from "../store/postgres-teams.ts";
import type { Served } from "../sync/served.ts";
import { postgres, served, token } from "../sync/served.ts";
import { MISSING, pageAt } from "./visit.ts";
import type { Visit } from "./visit.ts";

const missing = postgres.isThere ? MISSING : "no PostgreSQL";

/** Six of red and two of blue, each with a session of their own. */
async function teams(): Promise<Served> {
  const server = await served();
  const { keeper } = server;
  for (const [at, name] of ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal"].entries()) {
    const red = at < 6;
    const subject = `${name}@example.com`;
    const { id } = await keeper.put({ subject, name, teams: [red ? "red" : "blue"] });
    const store = keeper.team.storeOf(who(id));
    const usage = [fact(`of-${name}`, "r1", { at: "2026-05-01T09:00:00.000Z" })];
    await store.commit({ ...NOTHING, sessions: [sessionRows(`of-${name}`, { usage })] });
  }
  await keeper.put({ subject: "pay@example.com", name: "pay", roles: ["payer"] });
  await keeper.put({ subject: "root@example.com", name: "root", roles: ["admin"] });
  return server;
}

/** Comes as a reverse proxy lets people through: with its signed token, and without a key. */
async function throughProxy(
  { url }: Served,
  subject: string,
  groups: readonly string[],
): Promise<Pick<Visit, "page" | "visit">> {
  const headers = { "X-Token": await token(subject, { groups }) };
  return pageAt(url, { headers }, []);
}

describe.skipIf(missing !== undefined)(`a team's page (${missing ?? "Chromium"})`, () => {
  test("tells sums to whoever pays, and never of so few that somebody is told", async () => {
    const server = await teams();
    const { page, visit } = await throughProxy(server, "pay@example.com", []);
    await visit("/team?since=2026-01-01");
    const usage = page.locator(".card", { hasText: "Usage" });
    // Red alone would tell what is left for blue: they are told together.
    await usage.getByText("groups of too few people, together").waitFor();
    expect(await usage.locator("tbody td.number").first().textContent()).toBe("8");
    await usage.getByRole("link", { name: "Person" }).click();
    await page.waitForURL(/by=person/);
    await usage.getByText("groups of too few people, together").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("ada");
    await visit("/team?since=2026-01-01&team=blue");
    await usage.getByText("Withheld: there is usage of fewer than 5 people").waitFor();
    await visit("/team?since=2026-01-01&by=month&team=red");
    await usage.getByText("May 2026").waitFor();
    await visit("/team?since=2020-01-01&until=2020-01-02");
    await usage.getByText("Nothing in this period.").waitFor();
    const sending = page.locator(".card", { hasText: "Who sends" });
    await sending.getByText("withheld: fewer than 5 people").first().waitFor();
  }, 120_000);

  test("shows everybody their own, and lets them add a machine", async () => {
    const server = await teams();
    const { page, visit } = await throughProxy(server, "ada@example.com", ["red"]);
    await visit("/sessions");
    await page.getByRole("link", { name: "About of-ada" }).waitFor();
    expect(await page.locator("main").textContent()).not.toContain("of-bob");
    await page.getByRole("link", { name: "Team", exact: true }).click();
    await page.getByText("None of your machines sends anything.").waitFor();
    expect(await page.getByText("Usage").count()).toBe(0);
    await page.getByRole("button", { name: "Add a machine" }).click();
    await page.getByText(/pollux sync enrol \w{4}-\w{4}-\w{4} --to http/).waitFor();
    await page.getByText("Nobody. Auditors alone can").waitFor();
  }, 120_000);

  test("shows those who look after it who does not send", async () => {
    const server = await teams();
    const { page, visit } = await throughProxy(server, "root@example.com", []);
    await visit("/team");
    const row = page.locator("tr", { hasText: "hal" });
    await row.getByText("no machine").waitFor();
    await page.getByText("All that arrived is read.").waitFor();
    expect(await page.getByRole("heading", { name: "Usage" }).count()).toBe(0);
  }, 120_000);
});
