import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sources } from "../../src/sources/index.ts";
import { damage, damaged } from "../contracts/odd-bytes.ts";
import { corpusTrees, hasCorpus } from "../corpora/trees.ts";
import { expectSame } from "../ingest/same-answers.ts";

const RUNS = 500;

const ODD_LINES = [
  "{}",
  "null",
  "[]",
  '{"type":"assistant"}',
  '{"timestamp":"x","type":"event_msg","payload":null}',
  "\0",
  "\r",
] as const;
const ODD_VALUES = [
  "null",
  "-1",
  "1.5",
  "1e30",
  '"12"',
  "9007199254740993",
  "0",
  "[]",
  "{}",
] as const;
const ODD_NAMES = ["zz", "__proto__", "id", "type", "uuid"] as const;

type Change = (whole: Buffer) => Buffer;

/** A change of one line: left out, written twice, replaced, or exchanged with another. */
const changedLine: fc.Arbitrary<Change> = fc
  .tuple(fc.nat(), fc.nat(), fc.constantFrom("drop", "double", "swap", ...ODD_LINES))
  .map(([first, second, how]) => (whole) => {
    const lines = whole.toString("latin1").split("\n");
    const [from, to] = [first % lines.length, second % lines.length];
    const [line = "", other = ""] = [lines[from], lines[to]];
    if (how === "drop") lines.splice(from, 1);
    else if (how === "double") lines.splice(from, 0, line);
    else if (how === "swap") [lines[from], lines[to]] = [other, line];
    else lines.splice(from, 0, how);
    return Buffer.from(lines.join("\n"), "latin1");
  });

/** A change of one number, or of the name of one field. */
const changedField: fc.Arbitrary<Change> = fc
  .tuple(fc.nat(), fc.constantFrom(...ODD_VALUES), fc.constantFrom(undefined, ...ODD_NAMES))
  .map(([at, value, name]) => (whole) => {
    const text = whole.toString("latin1");
    const all = [...text.matchAll(name === undefined ? /(?<=:\s*)\d+(?=[,}])/g : /"\w+"(?=:)/g)];
    const hit = all[at % all.length];
    if (!hit) return whole;
    const after = text.slice(hit.index + hit[0].length);
    const odd = name === undefined ? value : JSON.stringify(name);
    return Buffer.from(text.slice(0, hit.index) + odd + after, "latin1");
  });

const change: fc.Arbitrary<Change> = fc.oneof(
  damage.map(
    (blow): Change =>
      (whole) =>
        damaged(whole, blow),
  ),
  changedLine,
  changedField,
);

/** Copies a home and changes some of its files. */
function changedHome(root: string, changes: readonly (readonly [number, Change])[]): string {
  const home = mkdtempSync(join(tmpdir(), "pollux-damaged-"));
  cpSync(root, home, { recursive: true });
  const files = readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(jsonl?|zst)$/.test(path))
    .map((path) => join(home, path));
  for (const [at, apply] of changes) {
    const file = files[at % files.length];
    if (file !== undefined) writeFileSync(file, apply(readFileSync(file)));
  }
  return home;
}

describe.each(
  sources.filter(({ id }) => hasCorpus(id)).map((source) => [source.id, source] as const),
)("damaged homes of %s", (id, source) => {
  test("give the same answers from the disk, from the store and with every shortcut", async () => {
    const roots = hasCorpus(id)
      ? corpusTrees(id)
          .flatMap((tree) => tree.roots)
          .filter(existsSync)
      : [];
    expect(roots.length).toBeGreaterThan(10);
    const changes = fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 3 });
    const same = fc.asyncProperty(fc.constantFrom(...roots), changes, async (root, some) => {
      const path = changedHome(root, some);
      try {
        const place = { source, root: { path, because: "a test", isFound: true } };
        await expectSame([place], "memory", "damaged");
      } finally {
        rmSync(path, { recursive: true, force: true });
      }
    });
    await fc.assert(same, { numRuns: RUNS });
  });
});
