import type { Digest } from "../../core/digest.ts";
import type { Project } from "../../core/project.ts";
import { projectAnswer } from "../../core/summarise.ts";
import type { Database } from "./database.ts";
import { unpackTools, unpackUsage } from "./packing.ts";

/**
 * Texts of facts by session. Of many sessions all are read with the first question, which is
 * quicker than one by one.
 */
export class FactLoader {
  readonly #database: Database;
  readonly #mode: "many" | "few";
  readonly #texts = new Map<string, Map<number, string>>();

  constructor(database: Database, mode: "many" | "few") {
    this.#database = database;
    this.#mode = mode;
  }

  textOf(table: "usage_facts" | "tool_facts", session: number): string | undefined {
    if (this.#mode === "few") {
      const sql = `SELECT facts FROM ${table} WHERE session = ?`;
      return this.#database.get<{ facts: string }>(sql, session)?.facts;
    }
    let texts = this.#texts.get(table);
    if (!texts) {
      const sql = `SELECT session, facts FROM ${table}`;
      const rows = this.#database.all<{ session: number; facts: string }>(sql);
      texts = new Map(rows.map((row) => [row.session, row.facts]));
      this.#texts.set(table, texts);
    }
    return texts.get(session);
  }
}

interface DigestRow {
  key: number;
  project: string;
  summary: string;
  rest: string;
  agent_calls: string | null;
}

/** A digest whose parts are read from their texts when they are asked for. */
export function storedDigest(row: DigestRow, facts: FactLoader): Digest {
  const project = later(() => JSON.parse(row.project) as Project);
  const summary = later(() => {
    const read = JSON.parse(row.summary) as Digest["summary"];
    return { ...read, project: projectAnswer(project()) };
  });
  const session = later(() => {
    const read = JSON.parse(row.rest) as Omit<Digest["session"], "project">;
    return { ...read, project: project() };
  });
  const usage = later(() => {
    const text = facts.textOf("usage_facts", row.key);
    return text === undefined ? [] : unpackUsage(text);
  });
  const tools = later(() => {
    const text = facts.textOf("tool_facts", row.key);
    return text === undefined ? [] : unpackTools(text);
  });
  const { agent_calls: calls } = row;
  return {
    get summary() {
      return summary();
    },
    get session() {
      return session();
    },
    get usage() {
      return usage();
    },
    get tools() {
      return tools();
    },
    agentCalls: calls === null ? [] : (JSON.parse(calls) as Digest["agentCalls"]),
  };
}

function later<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
