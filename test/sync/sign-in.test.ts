// @module-tag slow
import { describe, expect, test } from "vitest";
import { run } from "../cli/run.ts";
import { ask, idle, machineOf, postgres, served, strangers, token } from "./served.ts";

describe.skipIf(!postgres.isAvailable)(
  `signing in with a proxy's token${postgres.skipReason}`,
  () => {
    test("accepts only the issuer's tokens, and adds people at their first sign-in", async () => {
      const { url, admin } = await served();
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
      expect(await admin.people()).toEqual([]);
      const me = await (await ask(url, "/api/me", await token("ada@example.com"))).json();
      expect(me).toMatchObject({
        schemaVersion: 2,
        name: "ada",
        roles: ["developer"],
        teams: ["red"],
        devices: [],
      });
      const claims = { email: "ada@example.com", email_verified: false };
      const claimed = await ask(url, "/api/me", await token("mallory", { claims }));
      expect(await claimed.json()).toMatchObject({ subject: "mallory" });
      const code = await ask(url, "/api/me/codes", await token("ada@example.com"), {});
      expect(await code.json()).toMatchObject({ code: expect.stringMatching(/^\w{4}-/) });
      const { id } = await admin.person("ada@example.com");
      await admin.team.people.leave(id, Date.now());
      expect((await ask(url, "/api/me", await token("ada@example.com"))).status).toBe(401);
    });

    test("returns sums only to permitted roles, and shows every access to the person", async () => {
      const server = await served();
      const { url, admin } = server;
      const { home, env } = await machineOf(server, "ada@example.com");
      await run(["sync", "--now", "--root", home], { env });
      await idle(admin);
      for (const role of ["payer", "auditor"] as const)
        await admin.put({ subject: `${role}@example.com`, roles: [role] });
      const [ada, payer, auditor] = [
        await token("ada@example.com"),
        await token("payer@example.com"),
        await token("auditor@example.com"),
      ];
      expect((await ask(url, "/api/team/usage", ada)).status).toBe(403);
      const since = "/api/team/usage?by=team&since=2020-01-01";
      const small = await (await ask(url, since, payer)).json();
      expect(small).toMatchObject({ rows: [], totals: null, smallestGroup: 5 });
      await admin.team.setPolicy({
        level: "full",
        mayLower: true,
        masked: true,
        smallestGroup: 1,
      });
      const described = (await (await ask(url, since, payer)).json()) as {
        rows: { people: number }[];
      };
      expect(described.rows.map(({ people }) => people)).toEqual([1]);
      const { sessions } = JSON.parse(
        (await run(["sessions", "--json", "--root", home], { env })).out,
      );
      const { id: sessionId } = sessions[0];
      const look = {
        subject: "ada@example.com",
        session: sessionId.slice(0, 12),
        reason: "incident 7",
      };
      expect((await ask(url, "/api/team/looks", ada, look)).status).toBe(403);
      expect((await ask(url, "/api/team/looks", auditor, { ...look, reason: " " })).status).toBe(
        400,
      );
      const began = await (await ask(url, "/api/team/looks", auditor, look)).json();
      expect(began).toMatchObject({ owner: "ada@example.com", sessionId });
      const how = `owner=ada@example.com&look=${(began as { look: number }).look}`;
      const seen = await (await ask(url, `/api/sessions/${sessionId}?${how}`, auditor)).json();
      expect(seen).toMatchObject({ session: { id: sessionId } });
      const other = sessions.find((session: { id: string }) => session.id !== sessionId).id;
      expect((await ask(url, `/api/sessions/${other}?${how}`, auditor)).status).toBe(404);
      expect((await ask(url, `/api/sessions/${sessionId}?${how}`, payer)).status).toBe(404);
      expect((await ask(url, "/api/sessions?owner=ada@example.com", auditor)).status).toBe(404);
      const me = await (await ask(url, "/api/me", ada)).json();
      expect(me).toMatchObject({ looks: [{ viewer: "auditor", reason: "incident 7", sessionId }] });
    }, 60_000);

    test("answers queries about opened sessions of others, masked, and about nothing else of theirs", async () => {
      const server = await served();
      const { url, admin } = server;
      const { home, env } = await machineOf(server, "ada@example.com");
      await run(["sync", "--now", "--root", home], { env });
      await idle(admin);
      const [ada, bob] = [await token("ada@example.com"), await token("bob@example.com")];
      const at = async (path: string, bearer = bob): Promise<Response> => {
        return ask(url, `${path}${path.includes("?") ? "&" : "?"}owner=ada@example.com`, bearer);
      };
      const all = (await (await at("/api/sessions", ada)).json()) as { sessions: { id: string }[] };
      expect(all.sessions.length).toBeGreaterThan(2);
      expect((await at("/api/sessions")).status).toBe(404);
      const [{ id } = { id: "" }, second] = all.sessions;
      const described = { session: id, team: "red" };
      expect((await ask(url, "/api/me/open", bob, described)).status).toBe(404);
      expect(await (await ask(url, "/api/me/open", ada, described)).json()).toMatchObject({ id });
      expect(await (await ask(url, "/api/me", ada)).json()).toMatchObject({
        opened: [{ sessionId: id, team: "red" }],
      });
      expect(await (await ask(url, "/api/me", bob)).json()).toMatchObject({
        owners: [{ subject: "ada@example.com", name: "ada", opened: 1 }],
      });
      const list = await (await at("/api/sessions")).json();
      expect(list).toMatchObject({ sessions: [{ id }], savedChats: [], promptLogs: [] });
      expect(await (await at("/api/about")).json()).toMatchObject({ owner: { name: "ada" } });
      expect(await (await at(`/api/sessions/${id}`)).json()).toMatchObject({ session: { id } });
      expect((await at(`/api/sessions/${second?.id}`)).status).toBe(404);
      const own = (await (await ask(url, `/api/usage?session=${id}`, ada)).json()) as object;
      const { period: _, ...usage } = (await (await at("/api/usage?by=day")).json()) as {
        period: unknown;
      };
      expect(usage).toMatchObject({ totals: (own as { totals: object }).totals });
      for (const question of ["overview", "tools", "insights", "search?q=the", "doctor", "costs"]) {
        const answer = await at(`/api/${question}`);
        expect([question, answer.status]).toEqual([question, 200]);
        expect(await answer.text()).not.toContain(second?.id);
      }
      const star = { confirm: true, sessions: [id], isStarred: true };
      const others = "/api/annotate?owner=ada@example.com";
      expect((await ask(url, others, bob, star)).status).not.toBe(200);
      expect((await ask(url, "/api/annotate", ada, star)).status).toBe(200);
      expect(await (await at("/api/sessions?starred=yes", ada)).json()).toMatchObject({
        sessions: [{ id }],
      });
      expect(await (await at("/api/sessions?starred=yes")).json()).toMatchObject({ sessions: [] });
      await ask(url, "/api/me/close", ada, { session: id });
      expect((await at("/api/sessions")).status).toBe(404);
      const opened = await run(["sync", "open", id.slice(0, 12), "--team", "red"], { env });
      expect(opened).toMatchObject({ code: 0, out: expect.stringContaining(id) });
      expect(await (await at("/api/sessions")).json()).toMatchObject({ sessions: [{ id }] });
      const wrong = await run(["sync", "open", id, "--team", "nobody's"], { env });
      expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining("no team") });
      expect(await run(["sync", "close", id], { env })).toMatchObject({ code: 0 });
      expect((await at("/api/sessions")).status).toBe(404);
    }, 60_000);

    test("on the command line, access with database credentials needs a reason, which the owner sees", async () => {
      const server = await served();
      const { home, env } = await machineOf(server, "ada@example.com");
      await run(["sync", "--now", "--root", home], { env });
      await idle(server.admin);
      const store = { env: { POLLUX_STORE: server.dsn } };
      const owner = ["--owner", "ada@example.com"];
      expect(await run(["sessions", ...owner], store)).toMatchObject({
        code: 2,
        err: expect.stringContaining("--reason"),
      });
      const why = [...owner, "--reason", "a restore"];
      const own = JSON.parse((await run(["sessions", "--json", "--root", home], { env })).out);
      const described = JSON.parse((await run(["sessions", "--json", ...why], store)).out);
      expect(described.sessions.map(({ id }: { id: string }) => id)).toEqual(
        own.sessions.map(({ id }: { id: string }) => id),
      );
      expect(await run(["usage", "--by", "model", ...why], store)).toMatchObject({ code: 0 });
      expect(await run(["star", described.sessions[0].id, ...why], store)).toMatchObject({
        code: 1,
      });
      const nobody = ["sessions", "--owner", "bob@example.com", "--reason", "curious"];
      expect(await run(nobody, store)).toMatchObject({ code: 3 });
      const ada = await token("ada@example.com");
      const { looks } = (await (await ask(server.url, "/api/me", ada)).json()) as {
        looks: { reason: string; sessionId: string; viewer: string }[];
      };
      expect(looks).toHaveLength(3);
      expect(looks[0]).toMatchObject({ reason: "a restore", sessionId: "", viewer: "" });
    }, 60_000);
  },
);
