import { callKey } from "../../../core/session/links.ts";
import type { SessionRows } from "../../../core/rows/session-rows.ts";
import type { ToolFact } from "../../../core/rows/tool-fact.ts";
import { modelName } from "../../../core/usage/usage-fact.ts";
import { recordedPath } from "../../../core/rows/touched-file.ts";
import { msOf } from "../../row-values.ts";
import type { Database } from "../database.ts";
import { NO_TIME } from "./derived-schema.ts";
import { digestOf, insertInto } from "../sql.ts";

const CALLS = insertInto("tool_calls", [
  "session",
  "position",
  "digest",
  "tool",
  "time_ms",
  "is_own_time",
  "outcome",
  "duration_ms",
  "model",
  "is_owner",
]);
const COMMANDS = insertInto("tool_commands", [
  "session",
  "position",
  "call",
  "time_ms",
  "model",
  "command",
  "is_owner",
]);
const FILES = insertInto("tool_files", [
  "session",
  "position",
  "call",
  "time_ms",
  "model",
  "path",
  "is_relative",
  "how",
  "added_lines",
  "removed_lines",
  "is_owner",
]);
const NAME_COLUMNS = ["name", "label", "canonical", "category", "server", "server_tool"] as const;

/** A call's number in its session, its time, and the model that made it. */
interface CallPlace {
  key: number;
  call: number;
  timeMs: number;
  model: string | null;
}

/** Writes rows for tool calls, their shell commands and the files they touched. */
export class ToolWriter {
  readonly #database: Database;
  readonly #names = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  put(key: number, { summary, usage, tools }: SessionRows): void {
    const models = new Map(usage.map(({ messageId, model }) => [messageId, modelName(model)]));
    const started = msOf(summary.startedAt) ?? NO_TIME;
    const next = { command: 0, file: 0 };
    for (const [call, fact] of tools.entries()) {
      const model = models.get(fact.messageId) ?? null;
      const atMs = msOf(fact.at);
      const { outcome = null, durationMs = null } = fact;
      const digest = digestOf(summary.source, callKey(fact));
      const timeMs = atMs ?? started;
      const isOwnTime = atMs === null ? 0 : 1;
      const who = [key, call, digest, this.#tool(fact), timeMs, isOwnTime] as const;
      this.#database.run(CALLS, ...who, outcome, durationMs, model, 1);
      this.#putParts(fact, { key, call, timeMs, model }, next);
    }
  }

  #putParts(fact: ToolFact, place: CallPlace, next: { command: number; file: number }): void {
    const { key, call, timeMs, model } = place;
    for (const command of fact.commands ?? []) {
      this.#database.run(COMMANDS, key, next.command, call, timeMs, model, command, 1);
      next.command += 1;
    }
    for (const { path: recorded, how, addedLines = null, removedLines = null } of fact.files) {
      const { path, isRelative } = recordedPath(recorded);
      const where = [key, next.file, call, timeMs, model] as const;
      const what = [path, isRelative ? 1 : 0, how] as const;
      this.#database.run(FILES, ...where, ...what, addedLines, removedLines, 1);
      next.file += 1;
    }
  }

  /** Returns the id of the tool's row in `tool_names`. */
  #tool({ name, label, canonical, category, mcp }: ToolFact): number {
    const values = [name, label, canonical, category, mcp?.server ?? "", mcp?.tool ?? ""];
    const key = JSON.stringify(values);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const where = NAME_COLUMNS.map((column) => `${column} = ?`).join(" AND ");
    const select = `SELECT id FROM tool_names WHERE ${where}`;
    const id =
      this.#database.get<{ id: number }>(select, ...values)?.id ??
      this.#database.run(insertInto("tool_names", NAME_COLUMNS), ...values).id;
    this.#names.set(key, id);
    return id;
  }
}
