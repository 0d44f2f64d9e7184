import { Readable } from "node:stream";
import type { ExportedFile, ExportRequest } from "../exports/exporting.ts";
import { wrongUsage } from "./question.ts";
import type { Answer, Asked } from "./route.ts";

/** Every form that sessions can be saved in. */
export async function exportForms(): Promise<Answer> {
  const { exportForms: forms } = await import("../library/session-exports.ts");
  return { value: { exports: await forms() } };
}

interface Saved {
  name: string;
  bytes: Buffer;
}

/** One download, whatever was asked for: where a file of the form holds one session, an archive. */
export async function exported({ library, question, named, nowMs, mask }: Asked): Promise<Answer> {
  const ids = question.list("ids");
  if (ids.length === 0) throw wrongUsage('"ids" wants ids of sessions, with commas.');
  const asked = question.choice("masking", ["masked", "plain"] as const) ?? "masked";
  const masking = mask ? "masked" : asked;
  const { formNamed } = await import("../exports/exporting.ts");
  const form = formNamed(named["form"] ?? "");
  const layout = form.subject === "session" ? "each" : "one";
  const request: ExportRequest = { to: form.name, layout, masking, nowMs };
  const files = library.export({ ids }, request);
  const first = await files.next();
  if (first.done === true) throw wrongUsage("There is nothing to save.");
  if (layout === "one" || ids.length === 1) return { file: first.value };
  const saved = [await savedOf(first.value, MOST_BYTES)];
  let room = MOST_BYTES - (saved[0]?.bytes.length ?? 0);
  for await (const file of files) {
    const more = await savedOf(file, room);
    room -= more.bytes.length;
    saved.push(more);
  }
  return { file: await zipped(saved, form.name) };
}

async function savedOf({ name, chunks }: ExportedFile, room: number): Promise<Saved> {
  return { name, bytes: await bytesOf(chunks, room) };
}

async function zipped(files: readonly Saved[], form: string): Promise<NonNullable<Answer["file"]>> {
  const { zipSync } = await import("fflate");
  const bytes = zipSync(Object.fromEntries(files.map((file) => [file.name, file.bytes])));
  const name = `${files.length}-sessions-${form}.zip`;
  return { name, mediaType: "application/zip", chunks: Readable.from([bytes]) };
}

const MOST_BYTES = 256 << 20;

async function bytesOf(chunks: AsyncIterable<string | Uint8Array>, room: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    const piece = typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk);
    sizeBytes += piece.length;
    if (sizeBytes > room) throw wrongUsage("That is too large: use the terminal.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
