import { isUtf8 } from "node:buffer";
import { parentPort, workerData } from "node:worker_threads";
import { fileBytes, readerOf } from "../../bytes.ts";
import { documentPart } from "../document.ts";
import type { Fields } from "../fields.ts";
import { fieldsFrom } from "../fields.ts";
import { LineParts, PART_BYTES } from "../lines.ts";
import { START } from "../part.ts";
import type { WalkBuffer } from "../walk.ts";
import { JsonWalk } from "../walk.ts";
import type { FileAhead, ThreadStart, Work } from "./ring.ts";
import { RingWriter } from "./ring.ts";

const { program, shared } = workerData as ThreadStart;
const walk = new JsonWalk(program, shared.memory);
const ring = new RingWriter(shared);

parentPort?.once("message", ({ files, fields }: Work) => {
  const wanted = fields.map(fieldsFrom);
  for (const [number, file] of files.entries()) {
    const own = wanted[file.fields];
    if (own) readFile(number, file, own);
  }
});

/** Whatever is unusual is left to the other thread: it reads the file and reports it. */
function readFile(number: number, file: FileAhead, fields: Fields): void {
  try {
    if (file.as === "document") readDocument(number, file, fields);
    else readLines(number, file, fields);
  } catch {
    // The other thread gets the same error.
    ring.buffer();
    ring.publish(number, "left");
  }
}

function readDocument(number: number, { path, sizeBytes }: FileAhead, fields: Fields): void {
  const source = fileBytes(path, "found");
  const part = documentPart(walk, ring.buffer(), { source, sizeBytes, fields });
  if (part) ring.publish(number, "last", { part, nextLine: 1 });
  else ring.publish(number, "left");
}

function readLines(number: number, { path }: FileAhead, fields: Fields): void {
  const reader = readerOf(fileBytes(path, "found"), 0);
  try {
    const lines = new LineParts(walk, { reader, fields, from: START });
    for (;;) {
      const part = lines.next(small(ring.buffer()));
      if (part === "does-not-fit") return ring.publish(number, "left");
      if (!part) return ring.publish(number, "last");
      part.isUtf8 = isUtf8(walk.bytes.subarray(part.first, part.end));
      const { isAtEnd, nextLine } = lines;
      ring.publish(number, isAtEnd ? "last" : "more", { part, nextLine });
      if (isAtEnd) return;
    }
  } finally {
    reader.close();
  }
}

/** Lines are read in smaller parts, which stay in the processor's cache. */
function small(buffer: WalkBuffer): WalkBuffer {
  return { ...buffer, sizeBytes: Math.min(buffer.sizeBytes, PART_BYTES) };
}
