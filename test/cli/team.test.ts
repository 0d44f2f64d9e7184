// @module-tag slow
import { describe, expect, test } from "vitest";
import { openTeamAdmin } from "../../src/library/team/team.ts";
import { postgresStores } from "../store/postgres/stores.ts";
import { run } from "./run.ts";

const postgres = await postgresStores();

describe.skipIf(!postgres.isAvailable)(`pollux team${postgres.skipReason}`, () => {
  test("creates a team, adds people, issues codes, and reports its state", async () => {
    const env = { POLLUX_STORE: postgres.newDsn() };
    const before = await run(["team", "doctor"], { env });
    expect(before).toMatchObject({ code: 1, err: expect.stringContaining("pollux team init") });
    expect(await run(["team", "init", "--name", "Example"], { env })).toMatchObject({ code: 0 });
    const again = await run(["team", "init"], { env });
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("already") });
    const ada = ["team", "add", "ada@example.com", "--name", "Ada", "--team", "red", "--role"];
    expect(await run([...ada, "lead"], { env })).toMatchObject({
      code: 0,
      out: "Ada: red, developer, lead\n",
    });
    const code = JSON.parse(
      (await run(["team", "code", "ada@example.com", "--json"], { env })).out,
    );
    expect(code).toMatchObject({ code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/) });
    const nobody = await run(["team", "code", "bob@example.com"], { env });
    expect(nobody).toMatchObject({ code: 3, err: expect.stringContaining("pollux team add") });
    const listed = JSON.parse((await run(["team", "people", "--json"], { env })).out);
    expect(listed).toMatchObject({ schemaVersion: 2, people: [{ subject: "ada@example.com" }] });
    const people = await run(["team", "people"], { env });
    expect(people.out).toMatch(/ada@example\.com +Ada +red +developer, lead +0 +0/);
    const doctor = JSON.parse((await run(["team", "doctor", "--json"], { env })).out);
    expect(doctor).toMatchObject({ name: "Example", people: 1, sessions: 0, unread: 0 });
    expect(doctor).toMatchObject({ bytesPlace: null });
    const verified = await run(["team", "doctor", "--verify"], { env });
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining("0 chunks") });
    const other = { clock: () => 1, replica: postgres.newDsn() };
    await expect(openTeamAdmin(env.POLLUX_STORE, other)).rejects.toThrow("not a replica");
    expect(await run(["team", "rebuild"], { env })).toMatchObject({ code: 0 });
    const sessions = await run(["sessions"], { env });
    expect(sessions).toMatchObject({ code: 1, err: expect.stringContaining("pollux sync") });
  });

  test("takes machines and roles away, and lets people leave and return", async () => {
    const env = { POLLUX_STORE: postgres.newDsn() };
    await run(["team", "init"], { env });
    const bob = "bob@example.com";
    const team = (...args: string[]): ReturnType<typeof run> => run(["team", ...args], { env });
    await team("add", bob, "--role", "payer", "--role", "auditor");
    expect(await team("revoke", bob)).toMatchObject({ code: 2 });
    const revoked = await team("revoke", bob, "--role", "payer");
    expect(revoked).toMatchObject({ code: 0, out: `${bob}: developer, auditor\n` });
    const admin = await openTeamAdmin(env.POLLUX_STORE, { clock: () => Date.now() });
    const { id } = await admin.person(bob);
    const digest = Buffer.alloc(32, 7);
    await admin.team.devices.addCode({ digest, person: id, expiresMs: 9 });
    const machine = { id: "00000000-0000-4000-8000-000000000001", name: "laptop" };
    const token = { code: digest, token: digest, nowMs: 1, expiresMs: 9e15 };
    await admin.team.devices.enrol({ ...machine, ...token });
    const unknown = await team("revoke", bob, "--machine", "tablet");
    expect(unknown).toMatchObject({ code: 3, err: expect.stringContaining("laptop") });
    expect(await team("revoke", bob, "--machine", "laptop")).toMatchObject({ code: 0 });
    expect(await admin.team.devices.byToken(digest, 2)).toBeUndefined();
    await team("leave", bob);
    expect((await team("people")).out).toMatch(/bob@example\.com .*left/);
    const code = await team("code", bob);
    expect(code).toMatchObject({ code: 3, err: expect.stringContaining("has left") });
    await team("add", bob);
    expect(await team("code", bob)).toMatchObject({ code: 0 });
    expect((await admin.person(bob)).leftMs).toBeUndefined();
    const epoch = await admin.team.epoch();
    expect(await team("resend")).toMatchObject({ code: 0 });
    expect(await admin.team.epoch()).not.toBe(epoch);
    await team("policy", "--retention-days", "30");
    const forever = await team("policy", "--retention-days", "none");
    expect(forever.out).toContain("kept       forever");
    await admin.close();
  });

  test("requires a database", async () => {
    expect(await run(["team", "doctor"], { env: {} })).toMatchObject({
      code: 2,
      err: expect.stringContaining("POLLUX_STORE"),
    });
  });
});
