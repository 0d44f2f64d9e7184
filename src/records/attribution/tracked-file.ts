import { createHash } from "node:crypto";
import { addAll } from "../../core/lists.ts";
import { diffArrays } from "diff";
import type { Authorship, EditedPart } from "../../core/session/file-edit.ts";
import type { FileAct } from "../../sources/native.ts";

/** Who wrote a line. */
export interface Owner {
  hand: Authorship;
  model?: string;
}

interface By {
  owner: Owner;
  callId: string;
}

export interface OwnedRange {
  startLine: number;
  endLine: number;
  contentHash: string;
  owner: Owner;
}

interface Line {
  text: string;
  owner: Owner | undefined;
}

/** Longer files are not tracked: comparing them costs too much. */
export const MAX_TEXT_LENGTH = 4_000_000;
/** Texts that differ by more lines than this are not compared. */
const MAX_DIFFERENCE = 20_000;

/**
 * The state of one file while a session changes it: its lines and who wrote them. It is based on
 * recorded texts only; what they do not contain stays unknown until a later text does.
 */
export class TrackedFile {
  /** Undefined until a text was recorded. */
  #lines: Line[] | undefined;
  #isEdited = false;
  /** Why an edit could not be located. */
  whyNot: string | undefined;
  /** The last call whose effect on the file is known. */
  asOf: string | undefined;
  /** A command ran since the whole text was last recorded. */
  hasShellSince = false;
  /** An edit's message was rewound; whether the file was restored is not recorded. */
  #isDoubtful = false;

  get isEdited(): boolean {
    return this.#isEdited;
  }

  apply(act: Exclude<FileAct, { kind: "shell" }>, by: By): void {
    if (act.kind === "read") {
      this.#see(act.text);
      if (this.#isEdited) this.asOf = by.callId;
      return;
    }
    this.#isEdited = true;
    if (act.kind === "unclear") this.#lose(act.why);
    else for (const part of act.parts) this.#change(part, { ...by, hand: act.hand });
  }

  /** Marks that the message of an edit was rewound. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  /** Undefined if the current position of the edited lines is unknown. */
  ranges(): OwnedRange[] | undefined {
    if (!this.#lines || this.#isDoubtful) return undefined;
    return rangesOf(this.#lines);
  }

  why(): string | undefined {
    if (!this.#isDoubtful) return this.whyNot;
    return "an edit was taken back; whether the file was restored is not recorded";
  }

  #change(part: EditedPart, { owner, hand, callId }: By & { hand: Authorship }): void {
    const author = { ...owner, hand };
    const isPlaced =
      part.extent === "whole" ? this.#write(part, author) : this.#replace(part, author);
    if (isPlaced) this.asOf = callId;
  }

  #write({ before, after }: EditedPart, owner: Owner): boolean {
    if (before !== undefined) this.#see(before);
    if (this.#lines) {
      const isDone = this.#become(after, owner);
      this.hasShellSince = false;
      return isDone;
    }
    this.#see(after);
    return this.#miss("the text that was overwritten is not recorded");
  }

  #replace({ before = "", after, times = 1 }: EditedPart, owner: Owner): boolean {
    const text = this.#lines?.map((line) => line.text).join("\n");
    if (text === undefined)
      return this.#lose("the text of the file before the edit is not recorded");
    // Line ends are separators here, so add one for the last line.
    const pieces = `${text}\n`.split(before);
    const found = pieces.length - 1;
    if (times === "all" ? found === 0 : found !== times)
      return this.#lose("the replaced text does not occur in the known text of the file");
    return this.#become(pieces.join(after), owner);
  }

  /** Takes over the current text, whoever changed it; unchanged lines keep their owner. */
  #see(text: string): void {
    const before = this.#lines;
    const after = linesOf(text);
    this.#lines = before ? carryOver(before, after, undefined) : undefined;
    this.#lines ??= after.map((line) => ({ text: line, owner: undefined }));
    this.hasShellSince = false;
    this.#isDoubtful = false;
  }

  #become(text: string, owner: Owner): boolean {
    const next = carryOver(this.#lines ?? [], linesOf(text), owner);
    if (!next) {
      this.#see(text);
      return this.#miss("the change is too large to be compared line by line");
    }
    this.#lines = next;
    return true;
  }

  #lose(why: string): boolean {
    this.#lines = undefined;
    return this.#miss(why);
  }

  #miss(why: string): boolean {
    this.whyNot ??= why;
    return false;
  }
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Unchanged lines keep their owner, new lines get `owner`. Undefined if the diff is too large. */
function carryOver(
  before: readonly Line[],
  after: readonly string[],
  owner: Owner | undefined,
): Line[] | undefined {
  const texts = before.map(({ text }) => text);
  const parts = diffArrays(texts, [...after], { maxEditLength: MAX_DIFFERENCE });
  if (!parts) return undefined;
  const lines: Line[] = [];
  let at = 0;
  for (const { value, added, removed } of parts) {
    if (added)
      addAll(
        lines,
        value.map((text) => ({ text, owner })),
      );
    else if (!removed) addAll(lines, before.slice(at, at + value.length));
    if (!added) at += value.length;
  }
  return lines;
}

function rangesOf(lines: readonly Line[]): OwnedRange[] {
  const ranges: OwnedRange[] = [];
  let from = 0;
  while (from < lines.length) {
    const owner = lines[from]?.owner;
    let to = from + 1;
    while (to < lines.length && isSame(lines[to]?.owner, owner)) to += 1;
    if (owner) {
      const texts = lines.slice(from, to).map(({ text }) => text);
      ranges.push({ startLine: from + 1, endLine: to, contentHash: hashOf(texts), owner });
    }
    from = to;
  }
  return ranges;
}

function isSame(a: Owner | undefined, b: Owner | undefined): boolean {
  return a?.hand === b?.hand && a?.model === b?.model;
}

function hashOf(texts: readonly string[]): string {
  return createHash("sha256").update(texts.join("\n"), "utf8").digest("hex");
}
