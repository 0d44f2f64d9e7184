import { dirname } from "node:path";
import type { FirstKeep } from "../../library/open-options.ts";
import { counted, exact, size } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { widthOf, wrap } from "./width.ts";

/**
 * Size of an archive with its texts and rows, from measurements: 541 MB in 2,717 files took 228 MB,
 * 55 MB in 50,000 files 262 MB, 0.4 MB in 87 files 1.1 MB.
 */
const ROOM = { emptyBytes: 600_000, perFile: 5000, perByte: 0.4 };

/**
 * Shown before the first keep: what is kept, where, how much space it needs, and how to opt out.
 */
export function firstKeepLines(found: FirstKeep, columns: number): string[] {
  const files = found.files + found.besideFiles;
  const bytes = ROOM.emptyBytes + ROOM.perFile * files + ROOM.perByte * found.sizeBytes;
  const room = size(Math.round(bytes));
  const place = homePath(found.archive);
  const kept = [
    `Archiving them to ${place} (about ${room}). Use \`pollux --fresh\` to skip this.`,
    `Archive: ${place} (about ${room}). To skip it: --fresh`,
    `Archive: ${homePath(dirname(found.archive))} (about ${room}). Skip: --fresh`,
  ];
  const lines = [longest(foundTexts(found), columns), longest(kept, columns)];
  return lines.flatMap((line) => wrap(line, columns));
}

/** What was found, in variants from longest to shortest. */
function foundTexts({ agents, files, besideFiles, sizeBytes }: FirstKeep): string[] {
  const names = agents.map(safeLine);
  const many = counted(files, "session file");
  const beside = besideFiles === 0 ? "" : ` and ${counted(besideFiles, "other file")}`;
  const whose = names.length > 1 ? `${exact(names.length)} agents` : names.join("");
  return [
    `Found ${many}${beside} of ${names.join(", ")} (${size(sizeBytes)}).`,
    `Found ${many} of ${names.join(", ")} (${size(sizeBytes)}).`,
    `Found ${many} of ${whose} (${size(sizeBytes)}).`,
  ];
}

/** The first text that fits, or else the shortest. */
function longest(texts: readonly string[], columns: number): string {
  return texts.find((text) => widthOf(text) <= columns) ?? texts.at(-1) ?? "";
}
