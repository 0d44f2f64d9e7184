// @module-tag slow
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openTeamAdmin } from "../../src/library/team/team.ts";
import { run } from "../cli/run.ts";
import { fact, sessionRows } from "../contracts/store-samples.ts";
import { NOTHING } from "../store/one-file.ts";
import { postgresStores } from "../store/postgres/stores.ts";
import { who } from "../store/postgres/teams.ts";
import { files } from "../tidy/tree.ts";

const folder = "examples/team";
const compose = readFileSync(`${folder}/compose.yaml`, "utf8");
const guide = readFileSync("docs/guide/team-store.md", "utf8");
const postgres = await postgresStores();

test("the team example uses existing settings, files and options", async () => {
  const code = files
    .filter((path) => path.startsWith("src/"))
    .map((path) => readFileSync(path, "utf8"));
  const settings = compose.match(/\b(POLLUX|AWS)_[A-Z_]+/g) ?? [];
  expect(settings.length).toBeGreaterThan(6);
  for (const name of settings)
    expect([name, code.some((text) => text.includes(name))]).toEqual([name, true]);
  for (const [, path] of compose.matchAll(/- \.\/([\w.]+):/g)) {
    expect(files).toContain(`${folder}/${path}`);
  }
  const help = (await run(["serve", "--help"])).out;
  for (const option of ["--host", "--port"]) expect(help).toContain(option);
  // Every required variable is in the guide.
  for (const [, name] of compose.matchAll(/\$\{(\w+):\?\}/g)) expect(guide).toContain(name);
});

test.skipIf(!postgres.isAvailable)(
  "the roles of the team example suffice: an owner creates the team, the server owns nothing",
  async () => {
    const dsn = postgres.newDsn();
    const [, script = ""] =
      /<<'SQL'\n([^]*?)SQL\n/.exec(readFileSync(`${folder}/roles.sh`, "utf8")) ?? [];
    const [database] = await postgres.sql(dsn, "SELECT current_database() AS name");
    const named = script
      .replaceAll(/:'\w+'/g, "'secret'")
      .replace("DATABASE sessions", `DATABASE ${String(database?.["name"])}`);
    await postgres.sql(dsn, named);
    const as = (role: string): string => dsn.replace(/\/\/[^@]*@/, `//${role}@`);
    const owner = { POLLUX_STORE: as("owner") };
    expect(await run(["team", "init", "--name", "Example"], { env: owner })).toMatchObject({
      code: 0,
    });
    const schema = /schema=(\w+)/.exec(dsn)?.[1] ?? "";
    await postgres.sql(as("owner"), `GRANT ${schema}_app, ${schema}_sums TO server`);
    await run(["team", "add", "ada@example.com"], { env: owner });
    const admin = await openTeamAdmin(as("server"), { clock: () => 1 });
    const { id } = await admin.person("ada@example.com");
    const store = admin.team.storeOf(who(id));
    const usage = [fact("first", "r1")];
    await store.commit({ ...NOTHING, sessions: [sessionRows("first", { usage })] });
    expect(await admin.people()).toMatchObject([{ sessions: 1 }]);
    expect((await admin.doctor()).remarks.join()).not.toContain("superuser");
    await admin.close();
    const bytes = ["team", "doctor", "--bytes", "/nowhere"];
    expect(await run(bytes, { env: { POLLUX_STORE: as("server") } })).toMatchObject({
      err: expect.stringContaining("owner"),
    });
  },
);
