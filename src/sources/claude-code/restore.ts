import { originalPath } from "../../core/files/session-file.ts";
import { isUtf8 } from "node:buffer";
import { basename, dirname, join, relative, sep } from "node:path";
import { isLive } from "../../core/session/message.ts";
import type { Session, SessionFileRef } from "../../core/session/session.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import { readWhole } from "../../kernel/bytes.ts";
import { asObject, asText } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";
import { projectSlug } from "../decoding/project-slug.ts";
import type { Restoration, RestoreAbility, RestoreRequest } from "../source.ts";
import { sessionIdOfPath } from "./interpret/conversations.ts";
import { isSlugOf } from "./project.ts";

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Plans the file that `claude --resume` finds: the recorded bytes under the session's name, in the
 * folder of its directory. If a session continued in a second file (1.0.128), the last one is
 * resumed and the others are written next to it. Under a new id it is one file, with the id
 * replaced in its records; for another directory they have that one.
 */
function restoration(session: Session, request: RestoreRequest): Restoration | undefined {
  const { id, projectPath } = request;
  const live = session.messages.filter((message) => isLive(message) && message.author !== "notice");
  const files = filesOf(session);
  if (live.length === 0 || files.length === 0) return undefined;
  const contents = files.map(({ path }) => {
    return moved(readWhole(request.open(path)), session.project.path, projectPath);
  });
  const isSame = id === session.id;
  const bytes = isSame
    ? (contents.at(-1) ?? Buffer.alloc(0))
    : renamed(joined(contents), session.id, id);
  const folder = join(request.root, "projects", folderOf(files, projectPath));
  const names = files.map(({ path, replacedPath = path }) => sessionIdOfPath(replacedPath));
  const name = isSame ? (names.at(-1) ?? id) : id;
  const earlier = contents.slice(0, -1).map((content, at) => {
    return { path: join(folder, `${names[at] ?? id}.jsonl`), text: content.toString("utf8") };
  });
  const claims = isSame ? earlier : [];
  return {
    file: {
      path: join(folder, `${name}.jsonl`),
      text: bytes.toString("utf8"),
      ...(isUtf8(bytes) ? {} : { bytes }),
    },
    claims,
    // Companions are found by the session id: under another id they would not be found.
    companions: isSame ? companionsIn(folder, request) : [],
    isFoundAt: (path) => dirname(path) === folder && SESSION_ID.test(basename(path, ".jsonl")),
    messages: live.length,
    command: ["claude", "--resume", name],
  };
}

export const restore: RestoreAbility = { ids: SESSION_ID, plan: restoration };

/** Returns the session's own files in order: current contents, or else the last replaced one. */
function filesOf({ files }: Session): SessionFileRef[] {
  const own = files.filter(({ role, part }) => role === "main" && part !== "copy");
  const present = own.filter(({ replacedPath }) => replacedPath === undefined);
  return present.length > 0 ? present : own.slice(-1);
}

const NEWLINE = 10;

function joined(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => (part.at(-1) === NEWLINE ? [part] : [part, Buffer.from("\n")])),
  );
}

/** Inside texts quotes are escaped, so only fields of records match. */
function renamed(bytes: Buffer, from: string, to: string): Buffer {
  let text = bytes.toString("latin1");
  for (const key of ["sessionId", "session_id"]) {
    text = text.replaceAll(`"${key}":"${from}"`, `"${key}":"${to}"`);
  }
  return Buffer.from(text, "latin1");
}

/** Another directory is named in the records, too, where it is looked for. */
function moved(bytes: Buffer, from: string | undefined, to: string): Buffer {
  if (from === undefined || from === to) return bytes;
  const lines = bytes.toString("latin1").split("\n");
  return Buffer.from(lines.map((line) => movedLine(line, from, to)).join("\n"), "latin1");
}

/** `{…"cwd":"/p/src"…}`: only this field of the record, not one in the arguments of a call. */
function movedLine(line: string, from: string, to: string): string {
  const bytes = Buffer.from(line, "latin1");
  if (!line.includes('"cwd"') || !isUtf8(bytes)) return line;
  const parsed = parseJsonText(bytes.toString("utf8"));
  const record = parsed.isJson ? asObject(parsed.value) : undefined;
  const cwd = asText(record?.["cwd"]);
  if (cwd?.startsWith(from) !== true) return line;
  const below = cwd.slice(from.length);
  if (!/^(?:$|[\\/])/.test(below)) return line;
  const changed = { ...record, cwd: to + below };
  return Buffer.from(JSON.stringify(changed)).toString("latin1");
}

/** Returns the recorded folder name, as names of long paths end with a hash; or the usual name. */
function folderOf(files: readonly SessionFileRef[], projectPath: string): string {
  const recorded = files.map(({ path, root, replacedPath = path }) => {
    return relative(join(root, "projects"), replacedPath).split(sep)[0] ?? "";
  });
  return recorded.find((name) => isSlugOf(name, projectPath)) ?? projectSlug(projectPath);
}

/** Agents and long outputs are restored below the project folder, task lists below the root. */
function companionsIn(
  folder: string,
  { companions, root }: RestoreRequest,
): Restoration["companions"] {
  return companions.flatMap((from) => {
    const below = relative(from.root, originalPath(from)).split(sep);
    if (below.includes("..")) return [];
    const [top, , ...rest] = below;
    const path = top === "projects" ? join(folder, ...rest) : join(root, ...below);
    return isCompanion(from) ? [{ from, path }] : [];
  });
}

function isCompanion({ role }: SessionFile): boolean {
  return role === "subagent" || role === "spill" || role === "companion";
}
