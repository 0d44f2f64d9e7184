// @module-tag slow
import { expect, test } from "vitest";
import { openTeamAdmin } from "../../src/library/team/team.ts";
import { run } from "../cli/run.ts";
import { teamAt } from "../store/postgres/teams.ts";
import { isBuilt } from "../store/program.ts";
import { programServing } from "./program.ts";
import { idle, machineOf, postgres } from "./served.ts";

test.skipIf(!postgres.isAvailable || !isBuilt)(
  `the built program reads received files in a separate thread${postgres.skipReason}`,
  async () => {
    const dsn = postgres.newDsn();
    await teamAt(dsn, []);
    const admin = await openTeamAdmin(dsn, { clock: () => Date.now() });
    const server = await programServing(dsn);
    const { home, env } = await machineOf({ url: server.url, admin, dsn }, "ada@example.com");
    const sent = await run(["sync", "--now", "--json", "--root", home], { env });
    expect(JSON.parse(sent.out)).toMatchObject({ tooLarge: [] });
    await idle(admin);
    const { sessions } = JSON.parse(
      (await run(["sessions", "--json", "--root", home], { env })).out,
    );
    expect(sessions.length).toBeGreaterThan(0);
    expect(await admin.people()).toMatchObject([{ sessions: sessions.length }]);
    expect(await server.stop()).toBe("");
    await admin.close();
  },
  60_000,
);
