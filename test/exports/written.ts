import type { ExportRequest } from "../../src/exports/exporting.ts";
import type { Library, SessionSelector } from "../../src/library/library.ts";

export const NOW_MS: number = Date.UTC(2026, 1, 11, 9, 0, 0);

export interface WrittenFile {
  name: string;
  mediaType: string;
  sessionIds: string[];
  bytes: Buffer;
  text: string;
}

/** Collects all files that an export writes. */
export async function written(
  library: Library,
  which: SessionSelector,
  request: Omit<ExportRequest, "nowMs">,
): Promise<WrittenFile[]> {
  const files: WrittenFile[] = [];
  for await (const file of library.export(which, { nowMs: NOW_MS, ...request })) {
    const pieces: Buffer[] = [];
    for await (const chunk of file.chunks) pieces.push(Buffer.from(chunk as string));
    const bytes = Buffer.concat(pieces);
    const { name, mediaType, sessionIds } = file;
    files.push({ name, mediaType, sessionIds, bytes, text: bytes.toString("utf8") });
  }
  return files;
}

/** Exports one session and returns the text of its first file. */
export async function writtenText(
  library: Library,
  id: string,
  request: Omit<ExportRequest, "nowMs">,
): Promise<string> {
  const [file] = await written(library, { ids: [id] }, request);
  return file?.text ?? "";
}

// oxlint-disable-next-line no-unnecessary-type-parameters -- the test states the type
export function parsed<T>(text: string): T {
  return JSON.parse(text) as T;
}
