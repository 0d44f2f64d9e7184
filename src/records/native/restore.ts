import { PolluxError } from "../../core/error.ts";
import type { NativeForm } from "../../sources/native.ts";
import { formFor } from "../../sources/native.ts";
import { canonicalBytes, canonicalText, sortedKeys } from "../json/canonical.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { isObject, newObject } from "../json/value.ts";
import { applyEdits, EditFault } from "../mapping/edits.ts";
import { isText } from "../mapping/fits.ts";
import { invertEntry } from "../mapping/invert.ts";
import type { RecordFile } from "../record-file.ts";

const ENTRIES = "session/entries";
const ACTS = "session/x-native/acts";
const LINE_END = Buffer.from("\n");

/** A file of the recorded session, restored from its record. */
export interface RestoredFile {
  /** A bare name without a folder. */
  name: string;
  format: string;
  /**
   * Digest of the original; the restored file has the same values, but maybe not the same bytes.
   */
  sha256: string;
  sizeBytes: number;
  chunks(): Iterable<Buffer>;
}

/** Restores the files that a record was made from, with every recorded value. */
export function restoreFiles(record: RecordFile, form: NativeForm): RestoredFile[] {
  const files = filesOf(record);
  const spans = spansOf(record);
  return files.map((file, index) => {
    const same = file["same-as"];
    const first = typeof same === "number" ? same : index;
    const name = bareName(file["name"], index);
    const { format, sha256, size } = file;
    const own = isText(format) ? formFor(form, format) : form;
    const shape = isText(format) ? own.shapeOf(format) : undefined;
    return {
      name,
      format: isText(format) ? format : "unknown",
      sha256: isText(sha256) ? sha256 : "",
      sizeBytes: Number(size),
      chunks: () => {
        const gap = shape === "lines" && file["kept-as"] !== "bytes" ? "" : "\n";
        return chunksOf(new Undo(record, own, gap), spans.get(first));
      },
    };
  });
}

function filesOf(record: RecordFile): JsonObject[] {
  const { session } = record.skeleton;
  const native = isObject(session) ? session["x-native"] : undefined;
  const files = isObject(native) ? native["files"] : undefined;
  if (Array.isArray(files) && files.length > 0) return files.filter(isObject);
  throw new PolluxError("not-lossless", "The session cannot be restored from this record.", {
    remedy: "Only records of the profile `lossless`, with nothing left out, can be inverted.",
  });
}

/** The record is untrusted: its name must not lead to another folder. */
function bareName(name: Json | undefined, index: number): string {
  const bare = typeof name === "string" ? (name.split(/[\\/]/).at(-1) ?? "") : "";
  const safe = bare.replace(/[\p{Cc}<>:"|?*]/gu, "_").replace(/^\.+/, "");
  return safe === "" ? `file-${index}` : safe.slice(0, 200);
}

/** The range of acts of each file: from the act that names it to the next that names another. */
function spansOf(record: RecordFile): Map<number, { from: number; to: number }> {
  const spans = new Map<number, { from: number; to: number }>();
  let open: { from: number; to: number } | undefined;
  let index = 0;
  for (const act of record.elements(ACTS)) {
    index += 1;
    if (isObject(act) && typeof act["file"] === "number") {
      open = { from: index, to: index };
      spans.set(act["file"], open);
    } else if (open) open.to = index;
  }
  return spans;
}

function* chunksOf(undo: Undo, span: { from: number; to: number } | undefined): Iterable<Buffer> {
  for (let index = span?.from ?? 0; index < (span?.to ?? 0); index += 1) yield* undo.act(index);
}

interface Listed {
  keys: readonly string[];
  elements: readonly JsonObject[];
  index: number;
}

/** Converts acts back to bytes. */
class Undo {
  readonly #record: RecordFile;
  readonly #form: NativeForm;
  /** A document is written over several lines, so that it is not mistaken for a JSONL line. */
  readonly #gap: "" | "\n";

  constructor(record: RecordFile, form: NativeForm, gap: "" | "\n") {
    this.#record = record;
    this.#form = form;
    this.#gap = gap;
  }

  *act(index: number): Iterable<Buffer> {
    const act = this.#record.at(ACTS, index);
    if (!isObject(act) || "unread" in act) throw brokenAct(index);
    // Pieces of a document follow directly; everything else is a line.
    const isPiece = "base64" in act && this.#gap === "\n";
    if ("list" in act) yield* this.#listed(act, index);
    else yield* this.#values(act, index);
    if (!isPiece) yield LINE_END;
  }

  /** The values of an act or list element: a single value, or consecutive entries. */
  *#values(act: JsonObject, index: number, between: Buffer = LINE_END): Iterable<Buffer> {
    const { entry, count, edits, value, text, base64 } = act;
    if (typeof text === "string") yield Buffer.from(text);
    else if (typeof base64 === "string") yield Buffer.from(base64, "base64");
    else if (value !== undefined) yield canonicalBytes(value);
    else if (typeof entry !== "number") throw brokenAct(index);
    else if (Array.isArray(edits)) yield canonicalBytes(this.#edited(entry, edits, index));
    else {
      const end = entry + (typeof count === "number" ? count : 1);
      for (let at = entry; at < end; at += 1) {
        if (at > entry) yield between;
        yield canonicalBytes(this.#entry(at, index));
      }
    }
  }

  #entry(at: number, index: number): JsonObject {
    const entry = this.#record.at(ENTRIES, at);
    if (!isObject(entry)) throw brokenAct(index);
    return invertEntry(entry, this.#form);
  }

  #edited(at: number, edits: readonly Json[], index: number): Json {
    try {
      return applyEdits(this.#entry(at, index), edits);
    } catch (error) {
      if (!(error instanceof EditFault)) throw error;
      throw brokenAct(index);
    }
  }

  *#listed({ value, at, list }: JsonObject, index: number): Iterable<Buffer> {
    const keys = typeof at === "string" ? at.split("/").slice(1) : [];
    const elements = Array.isArray(list) ? list.filter(isObject) : [];
    if (!isObject(value)) throw brokenAct(index);
    yield* this.#withList(value, { keys, elements, index });
  }

  *#withList(value: JsonObject, details: Listed): Iterable<Buffer> {
    const [key = "", ...rest] = details.keys;
    let opening = `{${this.#gap}`;
    for (const name of sortedKeys(newObject({ ...value, [key]: value[key] ?? null }))) {
      yield Buffer.from(`${opening}${canonicalText(name)}:`);
      const inner = value[name];
      if (name !== key) yield canonicalBytes(inner ?? null);
      else if (rest.length > 0 && isObject(inner)) {
        yield* this.#withList(inner, { ...details, keys: rest });
      } else yield* this.#elements(details);
      opening = `,${this.#gap}`;
    }
    yield Buffer.from(`${this.#gap}}`);
  }

  *#elements({ elements, index }: Listed): Iterable<Buffer> {
    const between = Buffer.from(`,${this.#gap}`);
    yield Buffer.from(`[${this.#gap}`);
    for (const [at, element] of elements.entries()) {
      if (at > 0) yield between;
      yield* this.#values(element, index, between);
    }
    yield Buffer.from(`${this.#gap}]`);
  }
}

function brokenAct(index: number): PolluxError {
  const message = `Instruction ${index + 1} for restoring the session is not valid.`;
  return new PolluxError("bad-record", message);
}
