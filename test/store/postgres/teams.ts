import { READER_VERSION } from "../../../src/ingest/reader-version.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Team, Viewer } from "../../../src/store/team.ts";
import type { NewTeam } from "../../../src/store/postgres/team/team.ts";
import { makeTeam, openTeam } from "../../../src/store/postgres/team/team.ts";
import { begin, keep } from "../../contracts/kept-samples.ts";
import { fact, sessionRows, SOURCE, textPiece } from "../../contracts/store-samples.ts";
import { atEndOfFile } from "../../end-of-file.ts";
import { NOTHING } from "../one-file.ts";

/** Creates a team with these people; returns their ids by name. */
export async function teamAt<Name extends string>(
  dsn: string,
  names: readonly Name[],
  keys: NewTeam["keys"] = "none",
): Promise<{ team: Team; people: Record<Name, number> }> {
  await makeTeam(dsn, { name: "a team", reader: READER_VERSION, keys });
  const team = await openTeam(dsn, { reader: READER_VERSION });
  atEndOfFile(() => team.close());
  const people: Partial<Record<Name, number>> = {};
  for (const name of names) {
    people[name] = (await team.people.put({ subject: `${name}@example.com`, name })).id;
  }
  return { team, people: people as Record<Name, number> };
}

/** A person viewing their own data. */
export function who(viewer: number): Viewer {
  return { viewer, role: "developer" };
}

/** Writes at least one row to every table with data of a person. */
export async function fillEverything(store: Store): Promise<void> {
  const root = await begin(store);
  const file = await keep(store, root, { path: "first.jsonl", text: "planted bytes" });
  const tool = {
    toolCallId: "c1",
    messageId: "m1",
    name: "read",
    label: "read",
    canonical: "read",
    category: "read",
    files: [{ path: "/planted", how: "read" }],
  };
  const rows = sessionRows("first", { usage: [fact("first", "r1")] });
  await store.commit({
    ...NOTHING,
    readings: [
      {
        rootId: root.id,
        path: file.path,
        format: "lines",
        generation: "1",
        keys: ["k"],
        sessionIds: ["first"],
        isRead: true,
        diagnostics: [],
      },
    ],
    sessions: [
      {
        ...rows,
        tools: [tool as unknown as (typeof rows.tools)[number]],
        agentCalls: [{ agentId: "agent", callId: "call" }],
      },
    ],
  });
  const pieces = [textPiece("m1", "planted words")];
  await store.indexTexts([{ source: SOURCE, id: "first", pieces }]);
  await store.annotate(
    [{ source: SOURCE, sessionId: "first", kind: "note", text: "planted", how: "set" }],
    1,
  );
  await store.forget({ files: [], sessions: [], paths: ["/planted"], nowMs: 1 });
}
