import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openArchive } from "../../src/store/sqlite/archive.ts";
import { ArchiveShelf } from "../../src/ingest/stored-sessions.ts";
import { DiskShelf } from "../../src/ingest/disk-sessions.ts";
import type { Home } from "../../src/ingest/gather.ts";
import { findHome } from "../../src/ingest/gather.ts";
import { takeIn } from "../../src/ingest/ingest.ts";
import type { Shelf } from "../../src/ingest/session-source.ts";
import { sources } from "../../src/sources/index.ts";
import { corpusTrees } from "../corpora/trees.ts";

const folder = mkdtempSync(join(tmpdir(), "pollux-shelf-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function homesAt(path: string): Home[] {
  const root = { path, because: "test", isFound: true };
  return sources.map((source) => findHome(source, root));
}

/** All that a shelf can be asked, in an order of its own. */
function everything(shelf: Shelf): unknown {
  const byId = (a: { summary: { id: string } }, b: { summary: { id: string } }): number => {
    return a.summary.id < b.summary.id ? -1 : 1;
  };
  const digests = shelf.digests().map(({ summary, session, usage, tools, agentCalls }) => {
    return { summary, session, usage, tools, agentCalls };
  });
  return {
    digests: digests.toSorted(byId),
    sessions: digests.toSorted(byId).map(({ summary }) => shelf.read(summary.id)),
    chains: shelf.chains(),
    savedChats: shelf.savedChats(),
    promptLogs: shelf.promptLogs(),
    files: shelf.files(),
    counts: shelf.counts(),
    diagnostics: shelf.diagnostics().toSorted(byFile),
  };
}

function byFile(a: { file: string; line?: number }, b: { file: string; line?: number }): number {
  if (a.file === b.file) return (a.line ?? 0) - (b.line ?? 0);
  return a.file < b.file ? -1 : 1;
}

let count = 0;
function archived(homes: readonly Home[]): Shelf {
  const archive = openArchive(join(folder, `${(count += 1)}.db`), 1);
  const options = { how: "asked", nowMs: 2e12, text: "now", sources } as const;
  for (const home of homes) takeIn(archive, home, options);
  return new ArchiveShelf({
    archive: () => archive,
    sources,
    roots: [],
    indexTexts: () => undefined,
  });
}

describe("the archive answers like the disk", () => {
  test.each(corpusTrees("gemini-cli").map(({ name, folder: at }) => [name, join(at, ".gemini")]))(
    "for %s",
    (_, path) => {
      const onDisk = everything(new DiskShelf(() => homesAt(path)));
      expect(everything(archived(homesAt(path)))).toEqual(onDisk);
    },
  );
});
