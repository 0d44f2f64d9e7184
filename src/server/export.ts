import { wrongUsage } from "../core/error.ts";
import type { ExportedFile, ExportRequest } from "../exports/exporting.ts";
import type { Answer, RouteContext } from "./route.ts";

/** Lists all export formats. */
export async function exportForms(): Promise<Answer> {
  const { exportForms: forms } = await import("../library/session-exports.ts");
  return { value: { exports: await forms() } };
}

/** One download: a single file, or a zip archive if each session needs its own file. */
export async function exported({
  library,
  question,
  named,
  nowMs,
  mask,
}: RouteContext): Promise<Answer> {
  const ids = question.list("ids");
  if (ids.length === 0) throw wrongUsage('"ids" must be session ids, separated by commas.');
  const asked = question.choice("masking", ["masked", "plain"] as const) ?? "masked";
  const masking = mask ? "masked" : asked;
  const { formNamed } = await import("../exports/exporting.ts");
  const form = formNamed(named["form"] ?? "");
  const layout = form.subject === "session" ? "each" : "one";
  const request: ExportRequest = { to: form.name, layout, masking, nowMs };
  const files = library.export({ ids }, request);
  const first = await files.next();
  if (first.done === true) throw wrongUsage("Nothing to export.");
  if (layout === "one" || ids.length === 1) return { file: first.value };
  const name = `${ids.length}-sessions-${form.name}.zip`;
  return { file: { name, mediaType: "application/zip", chunks: zipped(first.value, files) } };
}

/** Compresses while writing, so that neither a file nor the archive is held in memory. */
async function* zipped(
  first: ExportedFile,
  others: AsyncIterable<ExportedFile>,
): AsyncGenerator<Uint8Array> {
  const { Zip, ZipDeflate } = await import("fflate");
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  async function* packed({ name, chunks }: ExportedFile): AsyncGenerator<Uint8Array> {
    const entry = new ZipDeflate(name);
    zip.add(entry);
    for await (const chunk of chunks) {
      entry.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      yield* ready.splice(0);
    }
    entry.push(new Uint8Array(0), true);
    yield* ready.splice(0);
  }
  yield* packed(first);
  for await (const file of others) yield* packed(file);
  zip.end();
  yield* ready.splice(0);
}
