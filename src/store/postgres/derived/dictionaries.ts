import { modelName, UNKNOWN_GROUP } from "../../../core/usage/usage-fact.ts";
import type { ToolFact } from "../../../core/rows/tool-fact.ts";
import type { SessionRows } from "../../../core/rows/session-rows.ts";
import type { Database } from "../database.ts";
import { insertRows } from "./insert.ts";

/** Ids of names that occur in very many rows. Names are only added, never changed. */
export class Dictionaries {
  readonly #database: Database;
  readonly #models = new Map<string, number>();
  readonly #tools = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Call before rows are written: gives every name in them an id. */
  async learn(sessions: readonly SessionRows[]): Promise<void> {
    const models = new Set<string>();
    const tools = new Set<string>();
    for (const { usage, tools: calls } of sessions) {
      for (const { model } of usage) if (model !== undefined) models.add(model);
      for (const call of calls) tools.add(namesOf(call));
    }
    await this.#learn(this.#models, { table: "models", column: "recorded" }, models);
    await this.#learn(this.#tools, { table: "tool_names", column: "names" }, tools);
  }

  async #learn(
    known: Map<string, number>,
    { table, column }: { table: "models" | "tool_names"; column: string },
    names: ReadonlySet<string>,
  ): Promise<void> {
    const missing = [...names].filter((name) => !known.has(name)).toSorted();
    if (missing.length === 0) return;
    const rows = missing.map((name) => (table === "models" ? modelRow(name) : [name]));
    const columns = table === "models" ? MODEL_COLUMNS : [column];
    const conflict = "ON CONFLICT DO NOTHING";
    await insertRows(this.#database, { table, columns, conflict }, rows);
    const sql = `SELECT id, ${column} AS name FROM ${table} WHERE ${column} = ANY($1::text[])`;
    const numbered = await this.#database.all<{ id: number; name: string }>(sql, [missing]);
    for (const { id, name } of numbered) known.set(name, id);
  }

  model(recorded: string | undefined): number | null {
    return recorded === undefined ? null : (this.#models.get(recorded) ?? null);
  }

  tool(call: ToolFact): number {
    return this.#tools.get(namesOf(call)) ?? 0;
  }
}

const MODEL_COLUMNS = ["recorded", "name", "folded"];

function modelRow(recorded: string): string[] {
  const name = modelName(recorded) ?? UNKNOWN_GROUP;
  return [recorded, name, name.toLowerCase()];
}

export type ToolNames = Pick<ToolFact, "name" | "label" | "canonical" | "category" | "mcp">;

function namesOf({ name, label, canonical, category, mcp }: ToolNames): string {
  return JSON.stringify({ name, label, canonical, category, ...(mcp ? { mcp } : {}) });
}
