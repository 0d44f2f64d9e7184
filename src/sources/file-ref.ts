import { optional } from "../core/optional.ts";
import type { SessionFileRef } from "../core/session/session.ts";
import type { DecodedFile } from "./source.ts";

/** First and last time recorded in a file. */
export type Span = Pick<
  Partial<Record<keyof SessionFileRef, string | undefined>>,
  "firstAt" | "lastAt"
>;

/** Describes a file as part of a session. */
export function fileRef(
  { file, format, generation }: DecodedFile,
  part: SessionFileRef["part"],
  { firstAt, lastAt }: Span = {},
): SessionFileRef {
  const { path, root, role, sizeBytes, modifiedMs, isCleaned, replaced } = file;
  return {
    path,
    root,
    role,
    format,
    generation,
    sizeBytes,
    modifiedMs,
    isCleaned,
    part,
    ...optional("replacedPath", replaced?.path),
    ...optional("firstAt", firstAt),
    ...optional("lastAt", lastAt),
  };
}
