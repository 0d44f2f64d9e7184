import type { FirstKeep } from "../../library/open-options.ts";
import { counted, size } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { wrap } from "./width.ts";

/** What an archive takes of the bytes that it keeps, with texts and rows (docs/benchmark.md). */
const ARCHIVE_PART = 0.45;

/** Before anything is kept for the first time: what, where, how much room, and how to say no. */
export function firstKeepLines(
  { agents, files, sizeBytes, archive }: FirstKeep,
  columns: number,
): string[] {
  const whose = agents.map(safeLine).join(", ");
  const room = size(Math.round(sizeBytes * ARCHIVE_PART));
  const found = `Found ${counted(files, "session file")} of ${whose} (${size(sizeBytes)}).`;
  const kept = `They are kept in ${homePath(archive)} (about ${room}), safe from deletion.`;
  const no = "--fresh answers from the disk and keeps nothing.";
  return [...wrap(`${found} ${kept}`, columns), ...wrap(no, columns)];
}
