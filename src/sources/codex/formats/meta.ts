import { optional } from "../../../core/optional.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject, asTime } from "../../decoding/fields.ts";
import type { Meta } from "../content.ts";

/**
 * The header of a thread:
 *
 *     {"id": "…", "timestamp": "…", "cwd": "…", "cli_version": "0.130.0",
 *      "forked_from_id": "…",
 *      "source": {"subagent": {"thread_spawn": {"parent_thread_id": "…", …}}},
 *      "git": {"branch": "main", "repository_url": "…"},
 *      "history_base": {"thread_id": "…", "end_ordinal_exclusive": 35}, …}
 */
export function readMeta(header: Json): Meta {
  const agent = subagentOf(header["source"]);
  const parentId = asName(header["parent_thread_id"]) ?? agent?.parentId;
  return {
    ...optional("threadId", asName(header["id"])),
    ...optional("startedAt", asTime(header["timestamp"])),
    ...optional("cwd", asName(header["cwd"])),
    ...optional("cliVersion", asName(header["cli_version"])),
    ...optional("git", gitOf(header["git"])),
    ...optional("forkedFrom", asName(header["forked_from_id"])),
    ...optional("parentId", parentId),
    ...optional("subagent", agent?.kind),
    ...optional("agentPath", asName(header["agent_path"]) ?? agent?.path),
    ...optional("base", baseOf(header["history_base"])),
    ...optional("ownOrdinal", ordinalOf(header["subagent_history_start_ordinal"])),
  };
}

function gitOf(recorded: unknown): Meta["git"] {
  const git = asObject(recorded);
  const known = {
    ...optional("remote", asName(git?.["repository_url"])),
    ...optional("branch", asName(git?.["branch"])),
  };
  return Object.keys(known).length > 0 ? known : undefined;
}

interface Agent {
  kind: string;
  path?: string;
  parentId?: string;
}

/** `"exec"`, `{"subagent": "review"}`, `{"subagent": {"thread_spawn": {…}}}` */
function subagentOf(source: unknown): Agent | undefined {
  const agent = asObject(source)?.["subagent"];
  if (agent === undefined || agent === null) return undefined;
  if (typeof agent === "string") return { kind: agent };
  const spawned = asObject(asObject(agent)?.["thread_spawn"]);
  return {
    kind: spawned ? "spawned" : "other",
    ...optional("path", asName(spawned?.["agent_path"])),
    ...optional("parentId", asName(spawned?.["parent_thread_id"])),
  };
}

function baseOf(recorded: unknown): Meta["base"] {
  const base = asObject(recorded);
  const rolloutId = asName(base?.["thread_id"]);
  const endOrdinal = ordinalOf(base?.["end_ordinal_exclusive"]);
  return rolloutId === undefined || endOrdinal === undefined
    ? undefined
    : { rolloutId, endOrdinal };
}

export function ordinalOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
