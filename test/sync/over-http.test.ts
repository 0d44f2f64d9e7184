// @module-tag slow
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demoHome } from "../../src/cli/package-folder.ts";
import { run } from "../cli/run.ts";
import type { Machine } from "./served.ts";
import { ask, idle, machineOf, postgres, served, token } from "./served.ts";

describe.skipIf(!postgres.isAvailable)(`pollux sync, over HTTP${postgres.skipReason}`, () => {
  test("sends only changes, and the team's answers equal the machine's", async () => {
    const server = await served();
    const { home, env } = await machineOf(server, "ada@example.com");
    const root = ["--root", home];
    await server.admin.team.setPolicy({
      level: "full",
      mayLower: true,
      masked: false,
      smallestGroup: 5,
    });
    const sent = await run(["sync", "--now", "--json", ...root], { env });
    expect(sent).toMatchObject({ code: 0 });
    expect(JSON.parse(sent.out)).toMatchObject({ rowsOnly: 0, withheld: 0 });
    const again = await run(["sync", "--now", "--json", ...root], { env });
    expect(JSON.parse(again.out)).toMatchObject({ contents: 0, bytes: 0 });
    await idle(server.admin);
    const own = JSON.parse(
      (await run(["usage", "--by", "project", "--json", ...root], { env })).out,
    );
    const ada = await token("ada@example.com");
    const actual = await (await ask(server.url, "/api/usage?by=project", ada)).json();
    expect((actual as { totals: unknown }).totals).toEqual(own.totals);
    const bob = await token("bob@example.com");
    const none = await (await ask(server.url, "/api/usage?by=project", bob)).json();
    expect(none.rows).toEqual([]);
    const refused = await ask(server.url, "/api/keep", ada, { confirm: true });
    expect(refused.status).toBe(403);
  }, 60_000);

  test("brings a session to another machine of the same person, where it can be restored", async () => {
    const server = await served();
    const first = await machineOf(server, "ada@example.com");
    await run(["sync", "--now", "--root", first.home], { env: first.env });
    await idle(server.admin);
    const list = await run(["sessions", "--json", "--root", first.home], { env: first.env });
    const { id } = JSON.parse(list.out).sessions.find(
      (session: { kind: string; prompts: number }) =>
        session.kind === "main" && session.prompts > 1,
    );
    const empty = {
      ...(await machineOf(server, "ada@example.com")),
      home: mkdtempSync(join(tmpdir(), "empty-")),
    };
    const env = { ...empty.env, HOME: empty.home };
    const pulled = await run(["archive", "pull", id, "--json"], { env });
    expect(pulled).toMatchObject({ code: 0 });
    const [here, there] = [
      await run(["show", id, "--json", "--no-refresh"], { env }),
      await run(["show", id, "--json", "--root", first.home], { env: first.env }),
    ];
    expect(JSON.parse(here.out).messages).toHaveLength(JSON.parse(there.out).messages.length);
    const other = await machineOf(server, "bob@example.com");
    const refused = await run(["archive", "pull", id], { env: other.env });
    expect(refused).toMatchObject({ err: expect.stringContaining("of your sessions") });
  }, 60_000);

  test("brings the sessions of subagents with the session that started them", async () => {
    const server = await served();
    const { home, env } = await machineOf(server, "ada@example.com");
    cpSync(join(demoHome(), ".claude"), join(home, ".claude"), { recursive: true });
    await run(["sync", "--now", "--root", home], { env });
    await idle(server.admin);
    const other = await machineOf(server, "ada@example.com");
    const at = { env: { ...other.env, HOME: mkdtempSync(join(tmpdir(), "empty-")) } };
    const list = ["sessions", "--json", "--agent", "claude"];
    const { sessions: all } = JSON.parse((await run([...list, "--root", home], { env })).out);
    const child = all.find(({ kind }: { kind: string }) => kind === "subagent");
    const pulled = await run(["archive", "pull", child.parentId], at);
    expect(pulled).toMatchObject({ code: 0 });
    const { sessions } = JSON.parse((await run([...list, "--no-refresh"], at)).out);
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual([child.parentId, child.id]);
    const again = await run(["archive", "pull", child.parentId.slice(0, 1)], at);
    expect(again.err).toContain("Give more of the id");
  }, 60_000);

  test('sends only counts at level "usage", and prints all of them in a dry run', async () => {
    const server = await served();
    const { home, env } = await machineOf(server, "ada@example.com");
    const root = ["--root", home];
    await run(["sync", "level", "usage", ...root], { env });
    const dry = await run(["sync", "--dry-run", "--json", ...root], { env });
    const plan = JSON.parse(dry.out);
    expect(plan.files).toEqual([]);
    expect(plan.sessions.length).toBeGreaterThan(2);
    expect((await server.admin.people())[0]?.sessions).toBe(0);
    const sent = await run(["sync", "--now", "--json", ...root], { env });
    expect(JSON.parse(sent.out)).toMatchObject({ contents: 0, rowsOnly: plan.sessions.length });
    const own = JSON.parse((await run(["usage", "--by", "model", "--json", ...root], { env })).out);
    const ada = await token("ada@example.com");
    const actual = await (await ask(server.url, "/api/usage?by=model", ada)).json();
    expect((actual as { totals: object }).totals).toMatchObject({ tokens: own.totals.tokens });
    const list = JSON.parse((await run(["sessions", "--json", ...root], { env })).out);
    expect(JSON.stringify(plan)).not.toContain(list.sessions[0].id);
    expect(await postgres.tablesWith(server.dsn, "kanji-cards")).toEqual([]);
    await server.admin.rebuild();
    const rebuilt = await (await ask(server.url, "/api/usage?by=model", ada)).json();
    expect((rebuilt as { totals: unknown }).totals).toEqual((actual as { totals: unknown }).totals);
  }, 60_000);

  test("counts everything once when levels are raised and lowered, and after enrolling again", async () => {
    const server = await served();
    const { home, env } = await machineOf(server, "ada@example.com");
    const root = ["--root", home];
    const own = JSON.parse((await run(["usage", "--by", "model", "--json", ...root], { env })).out);
    const ada = await token("ada@example.com");
    const sentAt = async (level: string): Promise<object> => {
      await run(["sync", "level", level, ...root], { env });
      const sent = await run(["sync", "--now", "--json", ...root], { env });
      expect(sent.code).toBe(0);
      await idle(server.admin);
      // Not over HTTP: the server caches recent answers.
      const { id: viewer } = await server.admin.person("ada@example.com");
      const library = server.admin.library({ viewer, role: "developer" });
      expect((await library.usage({ by: ["model"] })).totals.tokens).toEqual(own.totals.tokens);
      return JSON.parse(sent.out) as object;
    };
    const outline = await sentAt("outline");
    await sentAt("usage");
    const { code } = await server.admin.addCode("ada@example.com");
    await run(["sync", "leave", ...root], { env });
    await run(["sync", "enrol", code, "--to", server.url, ...root], { env });
    await sentAt("usage");
    await sentAt("outline");
    const { id } = JSON.parse((await run(["sessions", "--json", ...root], { env })).out)
      .sessions[0];
    const unsent = await ask(server.url, `/api/sessions/${id}`, ada);
    expect(unsent.status).toBe(409);
    expect(await unsent.json()).toMatchObject({ error: { code: "session-not-sent" } });
    expect(await run(["archive", "pull", id, ...root], { env })).toMatchObject({
      err: expect.stringContaining("Only rows of"),
    });
    await sentAt("none");
    await sentAt("full");
    await server.admin.rebuild();
    expect(await sentAt("usage")).toMatchObject({
      rowsOnly: 0,
      lowered: (outline as { rowsOnly: number }).rowsOnly,
    });
    const read = await ask(server.url, `/api/sessions/${id}`, ada);
    expect(read.status).toBe(200);
  }, 120_000);

  test("counts a session once after the machine's key is lost, and if two machines have it", async () => {
    const server = await served();
    const first = await machineOf(server, "ada@example.com");
    const root = ["--root", first.home];
    const sentFrom = async ({ env }: Machine): Promise<object> => {
      await run(["sync", "level", "usage", ...root], { env });
      const sent = await run(["sync", "--now", "--json", ...root], { env });
      expect(sent.code).toBe(0);
      await idle(server.admin);
      const { id: viewer } = await server.admin.person("ada@example.com");
      const { totals } = await server.admin
        .library({ viewer, role: "developer" })
        .usage({ by: ["project"] });
      return { sent: JSON.parse(sent.out).rowsOnly, totals };
    };
    const once = await sentFrom(first);
    expect(once).toMatchObject({ sent: expect.any(Number), totals: { requests: 12 } });
    rmSync(join(first.env["POLLUX_HOME"] ?? "", "sync-key.json"));
    expect(await sentFrom(first)).toEqual(once);
    // A second machine with the same files; also what is left if the whole archive is lost.
    const second = await machineOf(server, "ada@example.com");
    expect(await sentFrom(second)).toEqual(once);
    await server.admin.rebuild();
    expect(await sentFrom(second)).toMatchObject({ ...once, sent: 0 });
  }, 120_000);

  test("masks secrets before they leave the machine", async () => {
    const server = await served();
    const { home, env } = await machineOf(server, "ada@example.com");
    const secret = `AIza${"Sy9xKq3LmN8pQrStUvWxYz0123456789ABc".slice(0, 35)}`;
    const [file] = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => {
      return /chats.*\.jsonl$/.test(name);
    });
    const path = join(home, file ?? "");
    const text = readFileSync(path, "utf8");
    const line = text.split("\n").find((candidate) => candidate.includes('"text":"'));
    expect(line).toBeDefined();
    writeFileSync(path, text.replace('"text":"', `"text":"the key is ${secret} and `));
    const sent = await run(["sync", "--now", "--root", home], { env });
    expect(sent.code).toBe(0);
    const [person] = await server.admin.people();
    const id = person?.id ?? 0;
    const store = server.admin.team.storeOf({ viewer: id, role: "developer" });
    const all = await Promise.all(
      (await store.known({})).map(async (kept) =>
        (await store.bytes(kept)).range(0, kept.sizeBytes).toString(),
      ),
    );
    expect(all.join("\n")).not.toContain(secret);
    expect(all.join("\n")).toContain("[secret:");
  }, 60_000);

  test("sends nothing without a code, with a revoked token, or unencrypted to another host", async () => {
    const env = { POLLUX_HOME: mkdtempSync(join(tmpdir(), "archive-")) };
    const root = ["--root", demoHome()];
    expect(await run(["sync", ...root], { env })).toMatchObject({
      err: expect.stringContaining("not enrolled"),
    });
    expect((await run(["doctor", ...root], { env })).out).toMatch(
      /^sends +nothing leaves this machine/,
    );
    const plain = ["sync", "enrol", "AAAA-AAAA-AAAA", "--to", "http://pollux.example.com"];
    expect(await run([...plain, ...root], { env })).toMatchObject({ code: 2 });
    const server = await served();
    const wrong = ["sync", "enrol", "AAAA-AAAA-AAAA", "--to", server.url];
    expect(await run([...wrong, ...root], { env })).toMatchObject({
      err: expect.stringContaining("code"),
    });
    const machine = await machineOf(server, "ada@example.com");
    const [person] = await server.admin.people();
    const device = person?.devices[0]?.id ?? "";
    await server.admin.team.devices.revoke(device, person?.id ?? 0, Date.now());
    const revoked = await run(["sync", "--now", "--root", machine.home], { env: machine.env });
    expect(revoked).toMatchObject({ err: expect.stringContaining("revoked") });
    const left = await run(["sync", "leave", "--root", machine.home], { env: machine.env });
    expect(left.code).toBe(0);
  }, 60_000);
});
