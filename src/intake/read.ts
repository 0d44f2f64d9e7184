import type { Diagnostic } from "../model/diagnostic.ts";
import type { SessionFile } from "../model/session-file.ts";
import { FileReplay } from "../replay/file-replay.ts";
import type { PlayedFile } from "../replay/session.ts";
import type { NamedBytes, ReadAs, Source } from "../sources/source.ts";
import type { Weight } from "./outline.ts";
import { outlineOf } from "./outline.ts";

/** A file's bytes, decoded and played. A broken disk is a diagnostic too: neighbours go on. */
export function playFile(
  source: Source,
  file: SessionFile,
  input: { bytes: NamedBytes; weight: Weight },
): PlayedFile {
  const replay = new FileReplay();
  const diagnostics: Diagnostic[] = [];
  const { bytes, weight } = input;
  let readAs: ReadAs = { format: "unknown", generation: "unknown" };
  try {
    readAs = source.read(bytes, {
      entry: (entry) => replay.play(weight === "outline" ? outlineOf(entry) : entry),
      report: (diagnostic) => diagnostics.push(diagnostic),
    });
  } catch (error) {
    diagnostics.push(unreadable(file.path, error));
  }
  return { file, ...readAs, replay, diagnostics };
}

export function unreadable(file: string, error: unknown): Diagnostic {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined) throw error;
  if (code === "ENOENT") {
    const message = "It disappeared before it could be read.";
    return { code: "vanished-file", severity: "damage", message, file };
  }
  const message = `It could not be read (${code}).`;
  return { code: "unreadable-file", severity: "damage", message, file };
}
