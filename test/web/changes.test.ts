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

  test("tell which step changed a line", () => {
    const combined = combine([
      step(["one", "two"], ["one", "new", "two"]),
      step(["one", "new", "two"], ["one", "new"]),
    ]);
    const changed = combined?.lines.filter(({ kind }) => kind === "added" || kind === "removed");
    expect(changed?.map(({ text, step: at }) => [text, at])).toEqual([
      ["two", 1],
      ["new", 0],
    ]);
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

  test("combine replaced texts with the whole text that they are in", () => {
    const written = (lines: readonly string[]): CombinableStep => {
      return { lines: lines.map((text) => ({ kind: "added", text })), form: "whole" };
    };
    const pieces = fc.stringMatching(/^[ab\n]{1,4}$/);
    const edits = fc.array(
      fc.record({
        before: pieces,
        after: fc.stringMatching(/^[abc\n]{0,4}$/),
        where: fc.constantFrom("once" as const, "each" as const),
      }),
      { minLength: 1, maxLength: 3 },
    );
    let combinedRuns = 0;
    fc.assert(
      fc.property(words, edits, (first, wanted) => {
        const parts = wanted.map((exchange): CombinableStep => {
          return { lines: [], form: "loose", exchanges: [exchange] };
        });
        const combined = combine([written(first), ...parts]);
        if (!combined) return;
        combinedRuns += 1;
        const last = wanted.reduce((text, { before, after }) => {
          return text.split(before).join(after);
        }, textOf(first));
        const shown = textOf(
          combined.lines.flatMap(({ kind, text }) => (kind === "added" ? text : [])),
        );
        expect(shown.replace(/\n$/, "")).toBe(last.replace(/\n$/, ""));
      }),
    );
    expect(combinedRuns).toBeGreaterThan(0);
    const twice = { before: "a", after: "b", where: "once" } as const;
    const loose: CombinableStep = { lines: [], form: "loose", exchanges: [twice] };
    expect(combine([written(["a", "a"]), loose])).toBeUndefined();
    expect(combine([written(["x a"]), loose])?.lines.at(-1)?.text).toBe("x b");
    // Without the whole text, the place is not known.
    expect(combine([loose])).toBeUndefined();
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

/** The same diff without line numbers, as patches are that locate places by their content. */
function patchStep(before: readonly string[], after: readonly string[]): CombinableStep {
  const { lines = [] } = step(before, after);
  const bare = lines.map(({ kind, text }) => ({ kind, text: kind === "place" ? "@@" : text }));
  return { lines: bare, form: "patch" };
}

function isInside(texts: readonly string[], part: readonly string[]): boolean {
  return texts.some((_, at) => part.every((text, line) => texts[at + line] === text));
}

describe("several patches of one file without line numbers", () => {
  const base = Array.from({ length: 24 }, (_, at) => `line ${at}`);

  test("combine to the parts that changed", () => {
    let combinedRuns = 0;
    const edits = fc.array(fc.tuple(fc.nat(19), fc.constantFrom("add", "remove", "replace")), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(edits, (wanted) => {
        const states = [base];
        for (const [at, what] of wanted) {
          const next = [...(states.at(-1) ?? [])];
          const fresh = what === "remove" ? [] : [`new ${states.length}`];
          next.splice(at, what === "add" ? 0 : 1, ...fresh);
          states.push(next);
        }
        const steps = states.slice(1).map((state, at) => patchStep(states[at] ?? [], state));
        const combined = combine(steps);
        if (!combined) return;
        combinedRuns += 1;
        const of = (kind: string) => {
          return combined.lines.filter((line) => line.kind === kind).map(({ text }) => text);
        };
        const last = states.at(-1) ?? [];
        const removed = new Set(of("removed"));
        const kept = base.filter((line) => !removed.has(line));
        expect([...kept, ...of("added")].toSorted()).toEqual(last.toSorted());
        for (const part of partsOf(combined.lines)) {
          const lines = (gone: string) => {
            return part.filter(({ kind }) => kind !== gone).map(({ text }) => text);
          };
          expect(isInside(base, lines("added"))).toBe(true);
          expect(isInside(last, lines("removed"))).toBe(true);
        }
      }),
    );
    expect(combinedRuns).toBeGreaterThan(60);
  });

  test("are empty if the second undoes the first", () => {
    const next = base.with(3, "new");
    expect(combine([patchStep(base, next), patchStep(next, base)])?.lines).toEqual([]);
  });

  test("do not combine if a part may overlap, or occurs twice", () => {
    const first = patchStep(["x", "y", "z"], ["x", "2", "z"]);
    const moved = patchStep(["2", "other"], ["2"]);
    expect(combine([first, moved])).toBeUndefined();
    const twice: CombinableStep = {
      lines: ["same", "same"].map((text) => ({ kind: "added", text })),
      form: "whole",
    };
    const unclear: CombinableStep = { lines: [{ kind: "removed", text: "same" }], form: "patch" };
    expect(combine([twice, unclear])).toBeUndefined();
  });

  test("change a file that was added before", () => {
    const added: CombinableStep = {
      lines: [{ kind: "added", text: "one", newLine: 1 }],
      form: "whole",
    };
    expect(combine([added, patchStep(["one"], ["one", "two"])])?.lines).toEqual([
      { kind: "added", text: "one", newLine: 1, step: 0 },
      { kind: "added", text: "two", newLine: 2, step: 1 },
    ]);
  });
});

function partsOf(lines: readonly DiffLine[]): DiffLine[][] {
  const parts: DiffLine[][] = [];
  for (const line of lines) {
    if (line.kind === "place") parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

test("a diff that locates its places by content has lines without numbers", () => {
  expect(diffLines("@@ export\n a\n-b\n+c")).toEqual([
    { kind: "place", text: "@@ export" },
    { kind: "same", text: "a" },
    { kind: "removed", text: "b" },
    { kind: "added", text: "c" },
  ]);
});

test("a patch without line numbers is split into its files", () => {
  const patch =
    "*** Begin Patch\n*** Update File: a.ts\n@@ f\n-1\n+2\n*** Add File: b.ts\n+x\n*** End Patch";
  expect(patchedFiles(patch)).toEqual([
    {
      path: "a.ts",
      isNew: false,
      lines: [
        { kind: "place", text: "@@ f" },
        { kind: "removed", text: "1" },
        { kind: "added", text: "2" },
      ],
    },
    { path: "b.ts", isNew: true, lines: [{ kind: "added", text: "x" }] },
  ]);
});
