import type { Writer } from "./writer.ts";

/** One JSON document, and a line end. */
export async function writeJson(out: Writer, value: unknown): Promise<void> {
  await out.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
