import { createHash } from "node:crypto";
import type { Place } from "../../core/files/place.ts";
import { truncatedBytes } from "../../kernel/bytes.ts";
import type { LineForm, NativeLine } from "../../sources/native.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isEqual, isObject, newObject } from "../json/value.ts";
import { editsBetween, weightOf } from "../mapping/edits.ts";
import { isText } from "../mapping/fits.ts";
import { invertLine, lineEntry } from "../mapping/line-entry.ts";
import type { Profile } from "../profile.ts";
import { damaged, isBlank, joinRuns, piecesOf } from "./acts.ts";
import type { FoundFile, NativeFile } from "./catalogue.ts";
import { readNative, repaired } from "./read-text.ts";

/** Metadata of the session from its lines; the first occurrence of each counts. */
export interface SessionLineFacts {
  sessionId?: string;
  start?: string;
  end?: string;
  workingDir?: string;
  cliVersion?: string;
  provider?: string;
  revision?: string;
  branch?: string;
  repository?: string;
  /** In order of use; a model may occur again after another. */
  models: string[];
}

/** Whether to leave a line out, or members to add to its entry. */
export type Marks = (place: Place) => JsonObject | "left-out";

interface Counted extends NativeFile {
  entries: number;
}

/** A line, and the values in it that become entries. */
interface ReadLine {
  values: JsonObject[];
  /** The act that restores the line, if its entry is not enough. */
  kept?: Json;
}

/** The files of a session whose entries are lines. They are read again for every pass. */
export class LineCatalogue {
  readonly files: Counted[] = [];
  readonly facts: SessionLineFacts = { models: [] };
  readonly #form: LineForm;
  readonly #profile: Profile;
  readonly #marks: Marks;

  constructor(form: LineForm, profile: Profile, marks: Marks) {
    this.#form = form;
    this.#profile = profile;
    this.#marks = marks;
  }

  add({ name, format, bytes: source }: FoundFile): void {
    const hash = createHash("sha256");
    let sizeBytes = 0;
    for (const chunk of source.chunks()) {
      hash.update(chunk);
      sizeBytes += chunk.length;
    }
    const bytes = truncatedBytes(source, sizeBytes);
    const sha256 = hash.digest("hex");
    const isLined = this.#form.shapeOf(format) === "lines";
    const isWrapped = isLined && this.#form.isWrapped(bytes);
    const keptAs = isWrapped ? ({ keptAs: "bytes" } as const) : {};
    const file: Counted = { name, format, bytes, sizeBytes, sha256, ...keptAs, entries: 0 };
    if (isLined && !this.files.some((known) => known.sha256 === sha256)) this.#count(file);
    this.files.push(file);
  }

  #count(file: Counted): void {
    for (const line of this.#form.lines(file.bytes)) {
      for (const value of this.#read(line).values) {
        this.#addFacts(value);
        if (this.#entry(value, line.place)) file.entries += 1;
      }
    }
  }

  *entries(): Iterable<JsonObject> {
    for (const { value, place } of this.values()) {
      const entry = this.#entry(value, place);
      if (entry) yield entry;
    }
  }

  /** The values of all lines, in order. */
  *values(): Iterable<{ value: JsonObject; place: Place }> {
    for (const { entries, bytes } of this.files) {
      if (entries === 0) continue;
      for (const line of this.#form.lines(bytes)) {
        for (const value of this.#read(line).values) yield { value, place: line.place };
      }
    }
  }

  /** The acts that restore the files from the entries, as in `acts.ts`. */
  *acts(): Iterable<Json> {
    const seen = new Set<string>();
    let next = 0;
    for (const [index, file] of this.files.entries()) {
      if (seen.has(file.sha256)) continue;
      seen.add(file.sha256);
      yield newObject({ file: index });
      const isLined = this.#form.shapeOf(file.format) === "lines" && file.keptAs !== "bytes";
      yield* isLined ? joinRuns(this.#lineActs(file, next)) : piecesOf(file);
      next += file.entries;
    }
  }

  *#lineActs({ bytes }: Counted, first: number): Iterable<Json> {
    let next = first;
    for (const line of this.#form.lines(bytes)) {
      if (isBlank(line)) continue;
      const { values, kept } = this.#read(line);
      const [value] = values;
      yield kept ?? this.#act(value ?? newObject(), line.place, next);
      next += values.length;
    }
  }

  #act(value: JsonObject, place: Place, index: number): Json {
    const plain = newObject({ value });
    const entry = this.#entry(value, place);
    if (!entry) return plain;
    const inverted = invertLine(entry, this.#form);
    if (isEqual(inverted, value)) return newObject({ entry: index });
    const edited = newObject({ entry: index, edits: editsBetween(inverted, value) });
    return weightOf(edited) < weightOf(plain) ? edited : plain;
  }

  #entry(value: JsonObject, place: Place): JsonObject | undefined {
    const marks = this.#marks(place);
    const entry = marks === "left-out" ? undefined : lineEntry(value, this.#form, this.#profile);
    return entry && marks !== "left-out" ? Object.assign(entry, marks) : entry;
  }

  #read(line: NativeLine): ReadLine {
    if (line.isTooLong) {
      return { values: [], kept: newObject({ unread: line.place.end - line.place.start }) };
    }
    if (isBlank(line)) return { values: [] };
    const read = readNative(line.bytes);
    if (read.kind === "exact") {
      if (isObject(read.value)) return { values: [read.value] };
      return { values: [], kept: newObject({ value: read.value }) };
    }
    const found =
      read.kind === "repaired"
        ? [read.value]
        : this.#form.recover(line).map((record) => repaired(record));
    return { values: found.filter(isObject), kept: damaged(line.bytes) };
  }

  #addFacts(line: JsonObject): void {
    const { at, model, ...once } = this.#form.factsOf(line);
    const { facts } = this;
    const time = at as Json | undefined;
    if (isText(time)) {
      facts.start ??= time;
      facts.end = time;
    }
    const isNamed = typeof model === "string" && model !== "";
    if (isNamed && facts.models.at(-1) !== model) facts.models.push(model);
    for (const key of Object.keys(once) as (keyof typeof once)[]) {
      const value = once[key];
      if (typeof value === "string" && value !== "") facts[key] ??= value;
    }
  }
}
