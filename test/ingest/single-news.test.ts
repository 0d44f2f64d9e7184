// @module-tag slow
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Archive } from "../../src/store/archive.ts";
import { openArchive } from "../../src/store/sqlite/archive.ts";
import { findHome } from "../../src/ingest/gather.ts";
import { takeIn } from "../../src/ingest/ingest.ts";
import { READER_VERSION } from "../../src/ingest/reader-version.ts";
import type { TookIn } from "../../src/ingest/ingest-report.ts";
import { sources } from "../../src/sources/index.ts";
import { projectHash } from "../../src/sources/gemini-cli/project.ts";
import { ChangingHome } from "../store/changing-home.ts";
import { folder } from "../store/places.ts";
import { header, jsonl, model, user } from "../samples/home.ts";
import { NOW_MS, TestHome } from "./desk.ts";

function archiveAt(path: string): Archive {
  const archive = openArchive(path, READER_VERSION);
  onTestFinished(() => archive.close());
  return archive;
}

function look(archive: Archive, path: string, nowMs = NOW_MS): TookIn {
  const [source] = sources;
  if (!source) throw new Error("There is no source.");
  const home = findHome(source, { path, because: "the test", isFound: true });
  return takeIn(archive, home, { how: "usual", nowMs, text: "later", sources });
}

/** The same, after a look that told nothing: everything is compared. */
function lookAtAll(archive: Archive, path: string, nowMs = NOW_MS): TookIn {
  for (const { id } of archive.files.roots()) archive.rows.putLook(id, "");
  return look(archive, path, nowMs);
}

/** All that is kept and was read, without the numbers that rows have by chance. */
function contentsOf(archive: Archive): unknown {
  const roots = archive.files.roots();
  const files = roots.flatMap((root) => archive.files.files(root));
  const byPath = files.map(({ id, stream: _number, ...file }) => {
    const reading = archive.rows.reading(id);
    const states = archive.files.versions({ id }).map(({ sizeBytes, modifiedMs }) => {
      return { sizeBytes, modifiedMs };
    });
    return { ...file, states, read: reading && { ...reading, fileId: 0, stream: 0 } };
  });
  const sessions = archive.rows.sessions({ roots: roots.map(({ id }) => id) });
  return {
    files: byPath.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    sessions: sessions
      .map(({ id, digest: { session, summary, usage, tools }, clues }) => {
        return { id, session, summary, usage, tools, clues };
      })
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    diagnostics: roots.flatMap((root) => archive.files.diagnostics(root)),
  };
}

describe("comparing only what a look tells is new", () => {
  test.each([2, 5, 11])("keeps what comparing all keeps (%i)", (seed) => {
    const place = folder();
    const home = new ChangingHome(place, seed, { sessions: 60, sessionBytes: 200 });
    const [quick, plain] = [archiveAt(join(place, "a.db")), archiveAt(join(place, "b.db"))];
    for (let round = 0; round < 25; round += 1) {
      // Files of the last moment may be written again: with another clock they are settled.
      const nowMs = round % 5 === 4 ? Date.now() : NOW_MS;
      const took = look(quick, home.root, nowMs);
      expect(took).toEqual(lookAtAll(plain, home.root, nowMs));
      expect(contentsOf(quick)).toEqual(contentsOf(plain));
      expect(look(quick, home.root)).toMatchObject({ gone: 0, added: 0, replaced: 0 });
      lookAtAll(plain, home.root);
      home.change();
    }
  });

  test("reads no list of all files when a session goes on", () => {
    const home = new TestHome();
    home.write(".project_root", "/home/ada/projects/ledger");
    for (let n = 0; n < 300; n += 1) home.session(`${String(n).padStart(8, "0")}-x`);
    const archive = archiveAt(home.archive);
    look(archive, home.root);
    const listed = vi.spyOn(archive.files, "files");
    const some = vi.spyOn(archive.files, "filesAt");
    home.append(home.fileOf("00000007-x"), jsonl(model("m9", 9, "more")));
    expect(look(archive, home.root)).toMatchObject({ opened: 1, appended: 1, unchanged: 300 });
    expect(listed).not.toHaveBeenCalled();
    expect(some.mock.calls[0]?.[1].length).toBeLessThan(200);
    // What comes or goes is found by comparing all.
    home.session("new00000-x");
    home.remove(home.fileOf("00000008-x"));
    expect(look(archive, home.root)).toMatchObject({ opened: 1, added: 1, gone: 1 });
  });

  test("sees a file that comes back as it was, whatever else happened", () => {
    const home = new TestHome();
    for (const id of ["aaaaaaaa-1", "bbbbbbbb-1", "cccccccc-1"]) home.session(id);
    const archive = archiveAt(home.archive);
    look(archive, home.root);
    const [path, aside] = [home.path(home.fileOf("aaaaaaaa-1")), join(home.folder, "aside")];
    renameSync(path, aside);
    home.append(home.fileOf("bbbbbbbb-1"), jsonl(user("u9", 9, "more")));
    // Within the tick of its clock nothing is sure.
    expect(look(archive, home.root, 1_770_000_000_000)).toMatchObject({ gone: 1 });
    renameSync(aside, path);
    look(archive, home.root);
    const [root] = archive.files.roots();
    expect(root && archive.files.filesAt(root, [path])).toMatchObject([{ path }]);
    expect(root && [...archive.files.gone([root])]).toEqual([]);
  });

  test("names the project of a session that goes on as before", () => {
    const home = new TestHome();
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(home.root, path)), { recursive: true });
      writeFileSync(join(home.root, path), text);
    };
    const paths = ["/home/ada/one", "/home/ada/two", "/home/ada/three", "/home/ada/four"];
    const [one = "", two = "", three = "", four = ""] = paths;
    write("projects.json", JSON.stringify({ projects: { [one]: "one", [three]: "three" } }));
    write("history/three/.project_root", three);
    write("tmp/two/.project_root", two);
    const folders = ["one", "two", "three", ...paths.map(projectHash)];
    const at = (name: string): string => `tmp/${name}/chats/session-${name.slice(0, 8)}.jsonl`;
    for (const name of folders) {
      const told = name === projectHash(four) ? { directories: [four] } : {};
      write(
        at(name),
        jsonl(header(name.slice(0, 8), { projectHash: name, ...told }), user("u", 1, "x")),
      );
    }
    const archive = archiveAt(home.archive);
    look(archive, home.root);
    const projects = (): unknown[] => {
      const [root] = archive.files.roots();
      const stored = archive.rows.sessions({ roots: root ? [root.id] : [] });
      return stored.map(({ id, digest }) => ({ id, ...digest.session.project })).toSorted(byId);
    };
    const before = projects();
    for (const name of folders) {
      writeFileSync(join(home.root, at(name)), jsonl(user("u2", 2, "more")), { flag: "a" });
      expect(look(archive, home.root)).toMatchObject({ opened: 1 });
      expect(projects()).toEqual(before);
    }
  });
});

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
