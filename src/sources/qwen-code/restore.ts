import { isUtf8 } from "node:buffer";
import { basename, dirname, join } from "node:path";
import { PolluxError } from "../../core/error.ts";
import { isLive } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionFile } from "../../core/files/session-file.ts";
import { readWhole } from "../../kernel/bytes.ts";
import { asObject } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";
import type { Restoration, RestoreAbility, RestoreRequest } from "../source.ts";
import { RECORDS } from "./read.ts";
import { slugOf } from "./names.ts";

/** Qwen Code lists only files with such names. */
const SESSION_ID = /^[0-9a-fA-F-]{32,36}$/;

/**
 * Plans the file that `qwen --resume` loads: the recorded bytes unchanged. For another id or
 * directory the records are rewritten: Qwen Code lists a session by what is in them.
 */
function restoration(session: Session, request: RestoreRequest): Restoration | undefined {
  const { id, projectPath } = request;
  const recorded = session.files.findLast(({ format }) => format === RECORDS);
  if (!recorded) throw notResumable(session.id);
  const live = session.messages.filter((message) => isLive(message) && message.author !== "notice");
  if (live.length === 0) return undefined;
  const bytes = readWhole(request.open(recorded.path));
  const text = bytes.toString("utf8");
  const project = join(request.root, "projects", slugOf(projectPath, request.platform));
  const path = join(project, "chats", `${id}.jsonl`);
  const change = {
    ...(id === session.id ? {} : { sessionId: id }),
    ...(projectPath === session.project.path ? {} : { cwd: projectPath }),
  };
  const isSame = Object.keys(change).length === 0;
  return {
    file: {
      path,
      text: isSame ? text : rewritten(text, change),
      ...(isSame && !isUtf8(bytes) ? { bytes } : {}),
    },
    // Records of agents name their parent session: under another id they would not be found.
    companions: id === session.id ? companionsIn(project, id, request.companions) : [],
    isFoundAt: (other) =>
      dirname(other) === dirname(path) && SESSION_ID.test(basename(other, ".jsonl")),
    messages: live.length,
    command: ["qwen", "--resume", id],
  };
}

export const restore: RestoreAbility = { ids: SESSION_ID, plan: restoration };

/** Replaces fields in every record; other lines stay as they are. */
function rewritten(text: string, change: Readonly<Record<string, string>>): string {
  const lines = text.split("\n").map((line) => {
    const parsed = parseJsonText(line);
    const record = parsed.isJson ? asObject(parsed.value) : undefined;
    return record && "uuid" in record ? JSON.stringify({ ...record, ...change }) : line;
  });
  return lines.join("\n");
}

/** Files of agents, and notes about the session; not those about a process. */
function companionsIn(
  project: string,
  id: string,
  companions: readonly SessionFile[],
): Restoration["companions"] {
  return companions.flatMap((from) => {
    const name = basename(from.path);
    if (from.parentId === id) return [{ from, path: join(project, "subagents", id, name) }];
    const isOwn = name.startsWith(`${id}.`) && !name.endsWith(".runtime.json");
    return isOwn ? [{ from, path: join(project, "chats", name) }] : [];
  });
}

function notResumable(id: string): PolluxError {
  const message = `Session ${id} was written by a version that cannot resume sessions.`;
  return new PolluxError("nothing-to-restore", message, {
    remedy: "Use `pollux export` to save its content.",
  });
}
