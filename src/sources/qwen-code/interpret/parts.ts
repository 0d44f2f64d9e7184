import { optional } from "../../../core/optional.ts";
import type { Project } from "../../../core/project.ts";
import type { Session, SessionFileRef } from "../../../core/session.ts";
import type { SessionFile } from "../../../core/session-file.ts";
import { projectSlug } from "../../decoding/project-slug.ts";
import type { DecodedFile } from "../../source.ts";

/** Names of the source in sessions and ledgers. */
export interface SourceNames {
  id: string;
  ledgerName: string;
}

/** A session of which nothing is known yet but who it is. */
export function newSession(id: string, names: SourceNames, project: Project): Session {
  return {
    id,
    source: names.id,
    ledgerName: names.ledgerName,
    kind: "main",
    project,
    directories: [],
    messages: [],
    replies: [],
    compressions: [],
    isImport: false,
    files: [],
    diagnostics: [],
  };
}

export function refOf(
  { file, format, generation }: DecodedFile,
  part: SessionFileRef["part"],
  span: { firstAt?: string | undefined; lastAt?: string | undefined },
): SessionFileRef {
  const { path, root, role, sizeBytes, modifiedMs, isCleaned } = file;
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
    ...optional("replacedPath", file.replaced?.path),
    ...optional("firstAt", span.firstAt),
    ...optional("lastAt", span.lastAt),
  };
}

/** The name of a file without its ending. */
export function stemOf({ path, replaced }: Pick<SessionFile, "path" | "replaced">): string {
  const name = (replaced?.path ?? path).split(/[\\/]/).at(-1) ?? path;
  return name.replace(/\.jsonl?$/, "");
}

export function projectAt(path: string): Project {
  const name = path.split(/[\\/]/).findLast((segment) => segment !== "") ?? path;
  return { name, path, knownBy: "recorded" };
}

/** How the program names the folder of a directory; several directories may share one. */
export function slugOf(path: string, platform?: NodeJS.Platform): string {
  return projectSlug(platform === "win32" ? path.toLowerCase() : path);
}
