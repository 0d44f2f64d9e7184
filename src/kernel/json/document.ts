import { isUtf8 } from "node:buffer";
import type { ByteSource } from "../bytes.ts";
import type { Fields } from "./fields.ts";
import type { Part } from "./part.ts";
import { Row } from "./row.ts";
import type { JsonWalk, Loaded, WalkBuffer } from "./walk.ts";

/** A document is walked as a whole; larger ones have to be read in pieces. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

export interface WalkDocumentOptions {
  source: ByteSource;
  /** The expected size. */
  sizeBytes: number;
  fields: Fields;
}

/**
 * Passes a file that is one JSON document to `use` and returns its result. Undefined if the file is
 * not JSON, not UTF-8, too large, or has another size than expected.
 */
export function walkDocument<T>(
  walk: JsonWalk,
  wanted: WalkDocumentOptions,
  use: (document: JsonDocument) => T,
): T | undefined {
  const ahead = wanted.source.ahead?.();
  try {
    const part = ahead?.next();
    const whole =
      part && "memory" in part ? part : documentPart(walk, ownBuffer(walk, wanted), wanted);
    return whole && use(new JsonDocument(whole));
  } finally {
    ahead?.close();
  }
}

function ownBuffer(walk: JsonWalk, { sizeBytes }: WalkDocumentOptions): WalkBuffer | undefined {
  // One extra byte: it is filled if the file has grown meanwhile.
  return sizeBytes > MAX_DOCUMENT_BYTES ? undefined : walk.buffer(sizeBytes + 1);
}

/** Reads a document into a buffer and walks it. */
export function documentPart(
  walk: JsonWalk,
  buffer: WalkBuffer | undefined,
  { source, sizeBytes, fields }: WalkDocumentOptions,
): Part | undefined {
  if (!buffer || buffer.sizeBytes <= sizeBytes) return undefined;
  const { first } = buffer;
  const count = source.fill(walk.bytes.subarray(first, first + sizeBytes + 1));
  const end = first + count;
  if (count !== sizeBytes || !isUtf8(walk.bytes.subarray(first, end))) return undefined;
  return valuePart(walk, { buffer, end, fields });
}

function valuePart(walk: JsonWalk, loaded: Loaded): Part | undefined {
  const { buffer, end } = loaded;
  walk.endAt(end);
  if (!walk.document(loaded)) return undefined;
  const { first, records } = buffer;
  const count = walk.program.countRecords();
  return { memory: walk, first, end, offset: 0, records, count, isUtf8: true };
}

/** Walks one value that is in memory already. Undefined if it is not JSON. */
export function walkValue(walk: JsonWalk, value: Buffer, fields: Fields): JsonDocument | undefined {
  const buffer = walk.buffer(value.length);
  value.copy(walk.bytes, buffer.first);
  const end = buffer.first + value.length;
  const part = valuePart(walk, { buffer, end, fields });
  return part && new JsonDocument(part);
}

/** A document that was walked. */
export class JsonDocument {
  /** Its own wanted fields. */
  readonly row: Row = new Row();
  readonly #part: Part;

  /** @internal */
  constructor(part: Part) {
    this.#part = part;
    this.row.lookAt(part.memory);
    this.row.moveTo(part.records);
  }

  get bytes(): Buffer {
    const { memory, first, end } = this.#part;
    return memory.bytes.subarray(first, end);
  }

  /** Offset of an address of a row in the document. */
  offsetOf(address: number): number {
    return address - this.#part.first;
  }

  /** Visits the elements of its wanted lists. The row is reused for all of them. */
  *elements(): Generator<Row> {
    const { memory, records, count } = this.#part;
    const row = new Row();
    row.lookAt(memory);
    let next = row.moveTo(records);
    for (let at = 1; at < count; at += 1) {
      next = row.moveTo(next);
      yield row;
    }
  }
}
