// @module-tag slow
import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CombinableStep } from "../../web/transcript/combined-diff.ts";
import { combine } from "../../web/transcript/combined-diff.ts";
import type { DiffLine } from "../../web/transcript/diff-lines.ts";
import { fullPath } from "../../web/transcript/changes.ts";
import { diffLines } from "../../web/transcript/diff-lines.ts";
import { patchedFiles } from "../../web/transcript/patch-text.ts";

function step(before: readonly string[], after: readonly string[], context = 3): CombinableStep {
  const patch = createTwoFilesPatch("a", "b", textOf(before), textOf(after), "", "", {
    context,
  });
  return { lines: diffLines(patch), form: "numbered" };
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Applies a diff to a text. */
function patched(text: readonly string[], diff: readonly DiffLine[]): string[] {
  const removed = new Set(diff.flatMap(({ kind, oldLine }) => (kind === "removed" ? oldLine : [])));
  const kept = text.filter((_, at) => !removed.has(at + 1));
  for (const { kind, text: line, newLine } of diff) {
    if (kind === "added") kept.splice((newLine ?? 0) - 1, 0, line);
  }
  return kept;
}

const words = fc.array(fc.constantFrom("a", "b", "c", "d", "{", "}"), { maxLength: 30 });

test.each([
  ["src/a.ts", "/home/ada/ledger", "/home/ada/ledger/src/a.ts"],
  ["./src/a.ts", "/home/ada/ledger/", "/home/ada/ledger/src/a.ts"],
  ["/home/ada/ledger/src/a.ts", "/home/ada/ledger", "/home/ada/ledger/src/a.ts"],
  ["C:\\ledger\\a.ts", "C:\\ledger", "C:\\ledger\\a.ts"],
  ["src/a.ts", null, "src/a.ts"],
])("%s in %s is the path %s", (path, folder, full) => {
  expect(fullPath(path, folder)).toBe(full);
});

describe("several changes of one file", () => {
  test("combine to one diff from the first text to the last", () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 2, maxLength: 5 }), fc.nat(3), (states, context) => {
        const steps = states.slice(1).map((state, at) => step(states[at] ?? [], state, context));
        const combined = combine(steps);
        expect(combined).toBeDefined();
        expect(combined?.isBaseUnknown).toBe(false);
        expect(patched(states[0] ?? [], combined?.lines ?? [])).toEqual(states.at(-1));
      }),
    );
  });

  test("leave out a line that was added and removed again", () => {
    const combined = combine([
      step(["one", "two"], ["one", "new", "two"]),
      step(["one", "new", "two"], ["one", "two"]),
    ]);
    expect(combined?.lines).toEqual([]);
  });

  test("do not combine if the file was changed by others in between", () => {
    const first = step(["one", "two", "three"], ["one", "2", "three"]);
    expect(combine([first, step(["one", "other", "three"], ["one", "more"])])).toBeUndefined();
    expect(combine([first, { lines: undefined, form: "loose" }])).toBeUndefined();
  });

  test("are all added lines after a write with unknown previous content, marked as such", () => {
    const whole: CombinableStep = {
      lines: [{ kind: "added", text: "one", newLine: 1 }],
      form: "whole",
    };
    const combined = combine([whole, step(["one"], ["one", "two"])]);
    expect(combined?.isBaseUnknown).toBe(true);
    expect(combined?.lines.filter(({ kind }) => kind === "added").map(({ text }) => text)).toEqual([
      "one",
      "two",
    ]);
  });
});

test("a patch without line numbers is split into its files", () => {
  const patch =
    "*** Begin Patch\n*** Update File: a.ts\n@@ f\n-1\n+2\n*** Add File: b.ts\n+x\n*** End Patch";
  expect(patchedFiles(patch)).toEqual([
    {
      path: "a.ts",
      lines: [
        { kind: "place", text: "@@ f" },
        { kind: "removed", text: "1" },
        { kind: "added", text: "2" },
      ],
    },
    { path: "b.ts", lines: [{ kind: "added", text: "x" }] },
  ]);
});
