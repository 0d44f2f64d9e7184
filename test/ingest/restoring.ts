import { readFileSync } from "node:fs";
import { PolluxError } from "../../src/core/error.ts";
import { keptStates } from "../../src/ingest/restore/kept-states.ts";
import type { LoadedSession } from "../../src/ingest/read-session.ts";
import { loadSession } from "../../src/ingest/read-session.ts";
import type { RestoreRequest } from "../../src/ingest/restore/restore.ts";
import { restoreSession } from "../../src/ingest/restore/restore.ts";
import type { SessionVersion } from "../../src/ingest/restore/session-states.ts";
import { versionsOf } from "../../src/ingest/restore/session-states.ts";
import type { RestoreResult } from "../../src/ingest/restore/write-restored.ts";
import type { TestHome } from "./test-home.ts";
import { NOW_MS } from "./test-home.ts";

async function load(home: TestHome, id: string): Promise<LoadedSession> {
  const { store, source } = home;
  const place = { store, sources: [source], scope: "own" } as const;
  const loaded = await loadSession(place, { source: source.id, id }, "full");
  if (!loaded) throw new Error(`There is no session ${id}.`);
  return loaded;
}

/** Restores a session of a home into the same home. */
export async function restored(
  home: TestHome,
  id: string,
  request: Partial<RestoreRequest> = {},
): Promise<RestoreResult> {
  const { store, source, root } = home;
  const loaded = await load(home, id);
  const place = { store, sources: [source], scope: "own" } as const;
  return restoreSession(place, loaded, {
    keeping: {
      states: await keptStates(store, loaded),
      canKeep: true,
      keepFirst: async (path) => {
        await home.ingest();
        const known = await store.known({ paths: [path] });
        if (known.length === 0) throw new PolluxError("not-kept", `${path} is not kept.`);
      },
    },
    request: {
      root,
      writes: "really",
      existing: "stays",
      platform: "linux",
      nowMs: NOW_MS,
      ...request,
    },
  });
}

export async function versionsIn(home: TestHome, id: string): Promise<SessionVersion[]> {
  return versionsOf(await keptStates(home.store, await load(home, id)));
}

/** Ids of the messages in a restored file. */
export function idsInFile(path: string): string[] {
  return recordsIn(path).map(({ id }) => id);
}

export function textsInFile(path: string): string[] {
  return recordsIn(path).map(({ content }) => {
    return typeof content === "string" ? content : content.map(({ text }) => text).join("");
  });
}

function recordsIn(path: string): { id: string; content: string | { text: string }[] }[] {
  const rows = readFileSync(path, "utf8").trim().split("\n").slice(1);
  return rows.map((row) => JSON.parse(row) as { id: string; content: string });
}
