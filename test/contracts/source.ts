import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/files/diagnostic.ts";
import { groupConnected } from "../../src/core/group.ts";
import { rowsOf } from "../../src/core/rows/rows-of.ts";
import type { Session } from "../../src/core/session/session.ts";
import type { SessionFile } from "../../src/core/files/session-file.ts";
import {
  decodeFile,
  homeView,
  interpretFiles,
  isSessionFile,
  keysOf,
} from "../../src/ingest/decode.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";
import { shellCommands } from "../../src/kernel/shell/commands.ts";
import type { DecodedFile, Depth, HomeView, Source } from "../../src/sources/source.ts";
import { diskView } from "../../src/sources/view.ts";
import type { SampleHome } from "../samples/sample-homes.ts";
import { damage, damaged, oddBytes } from "./odd-bytes.ts";

interface Opened {
  file: SessionFile;
  bytes: Buffer;
  home: HomeView;
}

interface ReadBack {
  sessions: Session[];
  diagnostics: Diagnostic[];
}

const DEPTHS: readonly Depth[] = ["usage", "outline", "full"];

/** Tests that every source must pass, for any file content. */
export function sourceContract(source: Source, samples: readonly SampleHome[]): void {
  const homes = samples.map((sample) => ({ ...sample, files: openFiles(source, sample) }));
  const files = homes.flatMap(({ files: opened }) => opened);
  const anyFile = fc.constantFrom(...files.filter(({ bytes }) => bytes.length < 200_000));

  describe(`the source ${source.name}`, () => {
    describe.each(homes)("$name", ({ files: opened }) => {
      const full = read(source, opened, "full");

      test("gives the same result when read again", () => {
        expect(read(source, opened, "full")).toEqual(full);
      });

      test("gives the same sessions for any order of files", () => {
        const turned = read(source, opened.toReversed(), "full");
        expect(byId(turned.sessions)).toEqual(byId(full.sessions));
      });

      test("gives the same rows at depth 'outline' as at 'full'", () => {
        const { sessions } = read(source, opened, "outline");
        expect(rowsById(sessions)).toEqual(rowsById(full.sessions));
      });

      test("gives the same replies at depth 'usage' as at 'full'", () => {
        const { sessions } = read(source, opened, "usage");
        expect(repliesById(sessions)).toEqual(repliesById(full.sessions));
      });

      test("gives only places inside their files", () => {
        expect(placesOutside(opened, full)).toEqual([]);
      });
    });

    describe("for any bytes", () => {
      test("never throws, is deterministic, and gives only places inside the file", () => {
        const anyBytes = fc.oneof(
          oddBytes,
          anyFile.map(({ bytes }) => bytes),
        );
        fc.assert(
          fc.property(anyFile, anyBytes, (place, bytes) => {
            const odd = [{ ...place, bytes }];
            for (const depth of DEPTHS) {
              expect(read(source, odd, depth)).toEqual(read(source, odd, depth));
            }
            expect(placesOutside(odd, read(source, odd, "full"))).toEqual([]);
          }),
          { numRuns: 150 },
        );
      });

      test("gives the same replies at every depth when files are damaged", () => {
        fc.assert(
          fc.property(anyFile, fc.array(damage, { minLength: 1, maxLength: 3 }), (file, all) => {
            const hurt = [{ ...file, bytes: all.reduce(damaged, file.bytes) }];
            const full = repliesById(read(source, hurt, "full").sessions);
            expect(repliesById(read(source, hurt, "usage").sessions)).toEqual(full);
            expect(repliesById(read(source, hurt, "outline").sessions)).toEqual(full);
          }),
          { numRuns: 150 },
        );
      });

      test("reports a line that is not JSON", () => {
        const lines = files.filter(({ file }) => file.path.endsWith(".jsonl"));
        for (const { file, bytes, home } of lines.slice(0, 20)) {
          const text = bytes.toString("utf8").trimEnd();
          const broken = Buffer.from(`${text}\nno JSON at all\n`);
          const { diagnostics } = read(source, [{ file, bytes: broken, home }], "full");
          const line = text.split("\n").length + 1;
          expect(diagnostics.map((diagnostic) => diagnostic.line)).toContain(line);
        }
      });

      test("reads all complete lines of a file that is cut", () => {
        const lines = files.filter(({ file }) => file.path.endsWith(".jsonl"));
        if (lines.length === 0) return expect(files.length).toBeGreaterThan(0);
        const anyLines = fc.constantFrom(...lines.filter(({ bytes }) => bytes.length < 200_000));
        const anyCut = fc.double({ min: 0, max: 1, noNaN: true });
        fc.assert(
          fc.property(anyLines, anyCut, (file, at) => {
            const cut = file.bytes.subarray(0, Math.floor(at * file.bytes.length));
            const whole = cut.subarray(0, cut.lastIndexOf(10) + 1);
            const said = contentOf(read(source, [{ ...file, bytes: whole }], "full"));
            // The last line may be complete except for its newline.
            if (isJson(cut.subarray(whole.length))) return;
            expect(contentOf(read(source, [{ ...file, bytes: cut }], "full"))).toEqual(said);
          }),
          { numRuns: 100 },
        );
      });

      test("does not change object prototypes", () => {
        const hostile = '{"__proto__":{"polluted":1},"messages":[{"__proto__":{"polluted":1}}]}';
        for (const file of files.slice(0, 3)) {
          read(source, [{ ...file, bytes: Buffer.from(`${hostile}\n${hostile}\n`) }], "full");
        }
        expect(({} as { polluted?: number }).polluted).toBeUndefined();
      });
    });
  });
}

/** Tests that a source recognises its own homes and no home of another agent. */
export function rootsContract(
  source: Source,
  own: readonly SampleHome[],
  foreign: readonly SampleHome[],
): void {
  const rootsAt = (path: string): string[] => {
    const environment = { env: {}, homeDir: "/nowhere", tempDir: "/nowhere" } as const;
    const roots = source.roots({ ...environment, platform: "linux", requestedRoots: [path] });
    return roots.map((root) => root.path);
  };

  describe(`roots given to ${source.name}`, () => {
    test.each(own)("are recognised: $name", ({ roots }) => {
      for (const root of roots) expect(rootsAt(root)).toEqual([root]);
    });

    test.each(foreign)("are ignored if they belong to another agent: $name", ({ roots }) => {
      for (const root of roots) expect(rootsAt(root)).toEqual([]);
    });
  });
}

function openFiles(source: Source, { roots }: SampleHome): Opened[] {
  return roots.flatMap((path) => {
    const root = { path, because: "a test", isFound: true };
    const { files, folders } = source.find(root, () => undefined);
    const home = homeView(source, { root: path, folders, view: diskView }, () => undefined);
    return files.filter(isSessionFile).map((file) => {
      return { file, bytes: readFileSync(file.path), home };
    });
  });
}

/** Reads as ingest does: files that share keys form a group. */
function read(source: Source, opened: readonly Opened[], depth: Depth): ReadBack {
  const members = opened.map(({ file, bytes, home }) => {
    const own = { ...file, sizeBytes: bytes.length };
    return { file: own, bytes: memoryBytes(file.path, bytes), home };
  });
  const groups = groupConnected(members, ({ file, bytes }) => keysOf(source, file, bytes));
  const decoded = groups.map((group) => group.map((member) => decodeFile(source, member, depth)));
  const failed = decoded.flat().flatMap((file: DecodedFile) => {
    return file.diagnostics.filter(({ code }) => code === "reader-failed");
  });
  expect(failed).toEqual([]);
  return {
    sessions: decoded.flatMap((group) => interpretFiles(source, group, depth)),
    diagnostics: decoded.flat().flatMap((file: DecodedFile) => file.diagnostics),
  };
}

function keyOf({ id, kind }: Session): string {
  return `${kind} ${id}`;
}

function byId(sessions: readonly Session[]): Record<string, Session> {
  return Object.fromEntries(sessions.map((session) => [keyOf(session), session]));
}

function rowsById(sessions: readonly Session[]): Record<string, unknown> {
  return Object.fromEntries(
    sessions.map((session) => [keyOf(session), rowsOf(session, shellCommands)]),
  );
}

function repliesById(sessions: readonly Session[]): Record<string, unknown> {
  const paid = sessions.filter(({ replies, unrecorded }) => replies.length > 0 || unrecorded);
  return Object.fromEntries(
    paid.map((session) => [session.id, { replies: session.replies, more: session.unrecorded }]),
  );
}

function contentOf({ sessions }: ReadBack): Record<string, unknown> {
  return Object.fromEntries(
    sessions.map((session) => {
      const { messages, replies, compressions } = session;
      return [keyOf(session), { messages, replies, compressions }];
    }),
  );
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    // The line is cut.
    return false;
  }
}

function placesOutside(opened: readonly Opened[], { sessions, diagnostics }: ReadBack): string[] {
  const sizes = new Map(opened.map(({ file, bytes }) => [file.path, bytes.length]));
  const messages = sessions.flatMap((session) => session.messages);
  const places = [
    ...messages.flatMap((message) => message.places),
    ...sessions.flatMap(({ replies }) => replies.map(({ place }) => place)),
    ...diagnostics,
  ];
  const outside = places.filter(({ file, line = 1, start = 0, end = start }) => {
    // Places in a compressed file refer to its decompressed text.
    if (file.endsWith(".zst")) return false;
    return line < 1 || start < 0 || start > end || end > (sizes.get(file) ?? -1);
  });
  return outside.map(({ file, line, start, end }) => `${file}:${line} ${start}–${end}`);
}
