import { createPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EditedPart } from "../../src/core/session/file-edit.ts";
import { diffHunks } from "../../src/core/session/file-edit.ts";
import { BlamedFile } from "../../src/queries/blame/blame-file.ts";
import { recordedText } from "../../src/queries/blame/blame.ts";
import { Dice } from "../contracts/random-home.ts";

/** A line and its author: the number of an edit, or a person. */
interface Line {
  text: string;
  owner: number | "person";
}

type Edit = { parts: EditedPart[]; number: number };

/** A file changed in turn by an agent and a person, with the true author of every line. */
class SharedFile {
  lines: Line[] = [];
  readonly edits: Edit[] = [];
  readonly #dice: Dice;
  #count = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  get text(): string {
    return this.lines.map(({ text }) => `${text}\n`).join("");
  }

  #fresh(owner: Line["owner"]): Line {
    this.#count += 1;
    return { text: `${" ".repeat(this.#dice.roll(4))}value_${this.#count} = ${owner}`, owner };
  }

  #exchange(owner: Line["owner"]): { from: number; removed: Line[]; added: Line[] } {
    const from = this.#dice.roll(this.lines.length + 1);
    const removed = this.lines.slice(from, from + this.#dice.roll(3));
    const least = removed.length === 0 ? 1 : 0;
    const added = Array.from({ length: least + this.#dice.roll(4) }, () => this.#fresh(owner));
    return { from, removed, added };
  }

  person(): void {
    const { from, removed, added } = this.#exchange("person");
    this.lines.splice(from, removed.length, ...added);
  }

  agent(): void {
    const number = this.edits.length;
    const before = this.text;
    if (this.lines.length < 3 || this.#dice.chance(15)) return this.#write(number);
    const { from, removed, added } = this.#exchange(number);
    const context = this.lines.slice(Math.max(0, from - 1), from);
    this.lines.splice(from, removed.length, ...added);
    const quoted = (lines: readonly Line[]): string =>
      [...context, ...lines].map(({ text }) => text).join("\n");
    const exchanged: EditedPart = {
      extent: "part",
      before: quoted(removed),
      after: quoted(added),
    };
    const shown = diffHunks(createPatch("file", before, this.text));
    this.edits.push({ number, parts: this.#dice.chance(50) ? [exchanged] : shown });
    return undefined;
  }

  /** Writes the whole file; some lines stay. */
  #write(number: number): void {
    const before = this.text;
    const kept = this.lines.filter(() => this.#dice.chance(70));
    const added = Array.from({ length: 2 + this.#dice.roll(6) }, () => this.#fresh(number));
    const at = this.#dice.roll(kept.length + 1);
    this.lines = [...kept.slice(0, at), ...added, ...kept.slice(at)];
    this.edits.push({ number, parts: [{ extent: "whole", before, after: this.text }] });
  }
}

function ownersOf({ text, edits }: SharedFile): (number | undefined)[] {
  const file = new BlamedFile<number>(text);
  for (const { parts, number } of edits.toReversed()) file.takeBack(parts, number);
  return file.owners();
}

describe("the recorded text of a deleted file", () => {
  const whole = { extent: "whole", after: "one\r\ntwo\r\ntwo\n" } as const;

  test("is the result of the last recorded edit", () => {
    const edit = { extent: "part", before: "one\ntwo", after: "1\n2" } as const;
    const all = { extent: "part", before: "two", after: "2", times: "all" } as const;
    expect(recordedText([whole, edit])).toBe("1\n2\ntwo\n");
    expect(recordedText([whole, all])).toBe("one\n2\n2\n");
    expect(recordedText([edit, whole])).toBe("one\ntwo\ntwo\n");
    expect(recordedText([whole, { ...all, times: 2 }])).toBe("one\n2\n2\n");
    const hunk = { extent: "part", before: "end\n", after: "End\n" } as const;
    expect(recordedText([{ extent: "whole", after: "end" }, hunk])).toBe("End\n");
  });

  test.each([
    ["never written as a whole", [{ extent: "part", before: "one", after: "1" }]],
    ["changed at a text that occurs twice", [whole, { extent: "part", before: "two", after: "2" }]],
    ["changed by others in between", [whole, { extent: "part", before: "six", after: "6" }]],
    ["changed at an unknown position", [whole, { extent: "part", after: "2" }]],
  ] as const)("is unknown if the file was %s", (_, parts) => {
    expect(recordedText(parts)).toBeUndefined();
  });
});

describe("blame", () => {
  test("names the true author of a line or none, whatever was changed by hand", () => {
    let agents = 0;
    let found = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const dice = new Dice(seed);
        const file = new SharedFile(dice);
        file.agent();
        for (let step = dice.roll(25); step > 0; step -= 1) {
          if (dice.chance(60)) file.agent();
          else file.person();
        }
        for (const [at, owner] of ownersOf(file).entries()) {
          const truth = file.lines[at]?.owner;
          if (owner !== undefined) expect(owner, `line ${at + 1}`).toBe(truth);
          if (truth === "person") continue;
          agents += 1;
          if (owner !== undefined) found += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect(found / agents).toBeGreaterThan(0.95);
  });

  test("explains every line if nothing was changed by hand", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const dice = new Dice(seed);
        const file = new SharedFile(dice);
        for (let step = dice.roll(20); step >= 0; step -= 1) file.agent();
        expect(ownersOf(file)).toEqual(file.lines.map(({ owner }) => owner));
      }),
      { numRuns: 200 },
    );
  });

  test("finds an edit inside a line, and does not claim other lines", () => {
    const file = new BlamedFile<string>("one\nconst total = 2;\nthree\n");
    file.takeBack([{ extent: "part", before: "= 1", after: "= 2" }], "edit");
    expect(file.owners()).toEqual([undefined, "edit", undefined]);
  });

  test("takes back whole lines without leaving an empty one", () => {
    const file = new BlamedFile<string>("three\nfour\n");
    file.takeBack([{ extent: "part", before: "one\n", after: "three\n" }], "edit");
    file.takeBack([{ extent: "whole", before: "", after: "one\nfour\n" }], "earlier");
    expect(file.owners()).toEqual(["edit", "earlier"]);
    const next = new BlamedFile<string>("three\nfour\n");
    next.takeBack([{ extent: "part", before: "one\n", after: "three\n" }], "edit");
    next.takeBack([{ extent: "part", before: "zero", after: "one\nfour" }], "earlier");
    expect(next.owners()).toEqual(["edit", "earlier"]);
  });

  test("claims no line that occurs twice", () => {
    const file = new BlamedFile<string>("}\nsame line\n}\nsame line\n");
    file.takeBack([{ extent: "part", before: "x", after: "same line" }], "edit");
    expect(file.owners()).toEqual([undefined, undefined, undefined, undefined]);
    file.takeBack([{ extent: "part", before: "x", after: "same line", times: "all" }], "all");
    expect(file.owners()).toEqual([undefined, "all", undefined, "all"]);
  });

  test("ignores differences in line ends", () => {
    const file = new BlamedFile<string>("a line\r\nanother\r\n");
    file.takeBack([{ extent: "whole", before: "", after: "a line\n" }], "edit");
    expect(file.owners()).toEqual(["edit", undefined]);
  });
});
