// @module-tag slow
import { describe, expect, test } from "vitest";
import { run } from "../cli/run.ts";
import { ask, idle, machineOf, postgres, served, strangers, token } from "./served.ts";

describe.skipIf(!postgres.isThere)("signing in by a proxy's token", () => {
  test("believes the issuer alone, and adds whoever comes for the first time", async () => {
    const { url, keeper } = await served();
    expect((await ask(url, "/api/me")).status).toBe(401);
    expect((await ask(url, "/")).status).toBe(401);
    const bad = [
      await token("eve@example.com", { key: strangers.privateKey }),
      await token("eve@example.com", { exp: "-1m" }),
      await token("eve@example.com", { iss: "https://evil.example.com" }),
      "nonsense",
    ];
    for (const wrong of bad) expect((await ask(url, "/api/me", wrong)).status).toBe(401);
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const [, payload = ""] = (await token("eve@example.com")).split(".");
    expect((await ask(url, "/api/me", `${none}.${payload}.`)).status).toBe(401);
    expect(await keeper.people()).toEqual([]);
    const me = await (await ask(url, "/api/me", await token("ada@example.com"))).json();
    expect(me).toMatchObject({ name: "ada", roles: ["developer"], teams: ["red"], devices: [] });
    const code = await ask(url, "/api/me/codes", await token("ada@example.com"), {});
    expect(await code.json()).toMatchObject({ code: expect.stringMatching(/^\w{4}-/) });
    const { id } = await keeper.person("ada@example.com");
    await keeper.team.people.leave(id, Date.now());
    expect((await ask(url, "/api/me", await token("ada@example.com"))).status).toBe(401);
  });

  test("tells sums to those who may, and shows every look to the person", async () => {
    const server = await served();
    const { url, keeper } = server;
    const { home, env } = await machineOf(server, "ada@example.com");
    await run(["sync", "--now", "--root", home], { env });
    await idle(keeper);
    for (const role of ["payer", "auditor"] as const)
      await keeper.put({ subject: `${role}@example.com`, roles: [role] });
    const [ada, payer, auditor] = [
      await token("ada@example.com"),
      await token("payer@example.com"),
      await token("auditor@example.com"),
    ];
    expect((await ask(url, "/api/team/usage", ada)).status).toBe(403);
    const since = "/api/team/usage?by=team&since=2020-01-01";
    const small = await (await ask(url, since, payer)).json();
    expect(small).toMatchObject({ rows: [], totals: null, smallestGroup: 5 });
    await keeper.team.setPolicy({ level: "full", mayLower: true, masked: true, smallestGroup: 1 });
    const told = (await (await ask(url, since, payer)).json()) as { rows: { people: number }[] };
    expect(told.rows.map(({ people }) => people)).toEqual([1]);
    const { sessions } = JSON.parse(
      (await run(["sessions", "--json", "--root", home], { env })).out,
    );
    const { id: sessionId, source } = sessions[0];
    const look = { subject: "ada@example.com", source, sessionId, reason: "incident 7" };
    expect((await ask(url, "/api/team/looks", ada, look)).status).toBe(403);
    expect((await ask(url, "/api/team/looks", auditor, { ...look, reason: " " })).status).toBe(400);
    const { look: number } = (await (await ask(url, "/api/team/looks", auditor, look)).json()) as {
      look: number;
    };
    const path = `/api/team/looks/${number}/ada@example.com/${sessionId}`;
    const seen = await (await ask(url, path, auditor)).json();
    expect(seen).toMatchObject({ session: { id: sessionId } });
    const other = sessions.find((one: { id: string }) => one.id !== sessionId).id;
    expect(
      (await ask(url, `/api/team/looks/${number}/ada@example.com/${other}`, auditor)).status,
    ).toBe(404);
    const me = await (await ask(url, "/api/me", ada)).json();
    expect(me).toMatchObject({ looks: [{ viewer: "auditor", reason: "incident 7", sessionId }] });
  }, 60_000);
});
