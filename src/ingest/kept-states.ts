import type { Archive } from "../store/archive.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import type { ArchivedHome } from "./archived-home.ts";
import type { KeptState } from "./session-states.ts";

/**
 * Every state of a session in which the place of one of its files was kept, oldest first. What
 * other sessions had there is not told.
 */
export function keptStates(
  archive: Archive,
  home: ArchivedHome,
  { file: { path }, sessionId }: { file: Pick<SessionFile, "path">; sessionId: string },
): KeptState[] {
  const known = home.fileAt(path);
  if (!known) return [];
  const { files, rows } = archive;
  const versions = files.versions(known);
  const readings = new Map(
    [...new Set(versions.map(({ stream }) => stream))].map((stream) => {
      const isNewest = !known.replaced && stream === known.stream;
      return [stream, rows.reading(isNewest ? known.id : -stream)?.sessionId];
    }),
  );
  const own = versions.filter(({ stream, fileId }) => {
    const told = readings.get(stream) ?? rows.reading(fileId)?.sessionId;
    return told === sessionId;
  });
  return own.map(({ stream, sizeBytes, modifiedMs, keptMs }) => {
    const open = (): ByteSource => files.bytes({ path, stream, sizeBytes });
    return { content: stream, sizeBytes, modifiedMs, keptMs, open };
  });
}
