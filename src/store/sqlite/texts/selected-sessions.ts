import { isAboutCalls } from "../../../core/filter/matches.ts";
import type { SessionRef, TextQuery } from "../../store.ts";
import type { Database } from "../database.ts";
import { Conditions, sessionConditions } from "../reads/filters.ts";
import { keyOf } from "../../../core/session/links.ts";

/** With so few sessions, the text index itself excludes the others. */
const FEW_SESSIONS = 256;
/** After so many single checks, loading all sessions is cheaper. */
const MOST_CHECKS = 1000;

/**
 * The sessions that a filter selects, by their keys in the text index. The newest matches lie in
 * few sessions: these are checked one by one instead of loading all that are selected.
 */
export class MeantSessions {
  readonly few: ReadonlySet<number> | undefined;
  readonly #archive: Database;
  readonly #texts: Database;
  readonly #conditions: Conditions;
  readonly #checked = new Map<number, boolean>();
  readonly #mayCheck: boolean;
  #all: ReadonlySet<number> | undefined;

  /** Undefined when the filter selects all sessions. */
  static of(
    databases: { archive: Database; texts: Database },
    query: Pick<TextQuery, "scope" | "filter">,
  ): MeantSessions | undefined {
    const conditions = sessionConditions(query.scope, query.filter);
    if (conditions.isEmpty) return undefined;
    // Conditions with a subquery would evaluate it for each session.
    const mayCheck = query.scope === "own" && !isAboutCalls(query.filter);
    return new MeantSessions(databases, conditions, mayCheck ? "single" : "all");
  }

  private constructor(
    { archive, texts }: { archive: Database; texts: Database },
    conditions: Conditions,
    checks: "single" | "all",
  ) {
    this.#archive = archive;
    this.#texts = texts;
    this.#conditions = conditions;
    this.#mayCheck = checks === "single";
    const first = this.#refs(FEW_SESSIONS + 1);
    if (first.length <= FEW_SESSIONS) this.few = this.#keysOf(first);
  }

  has(key: number): boolean {
    if (this.#mayCheck && this.#all === undefined && this.#checked.size < MOST_CHECKS) {
      const known = this.#checked.get(key) ?? this.#check(key);
      this.#checked.set(key, known);
      return known;
    }
    this.#all ??= this.#allKeys();
    return this.#all.has(key);
  }

  #check(key: number): boolean {
    const sql = "SELECT source, id FROM text_sessions WHERE key = ?";
    const ref = this.#texts.get<SessionRef>(sql, key);
    if (!ref) return false;
    const isThis = new Conditions().add("s.source = ? AND s.id = ?", ref.source, ref.id);
    const { where, values } = isThis.and(this.#conditions);
    return this.#archive.get(`SELECT 1 AS n FROM sessions AS s${where}`, ...values) !== undefined;
  }

  #refs(limit: number): SessionRef[] {
    const { where, values } = this.#conditions;
    const sql = `SELECT s.source, s.id FROM sessions AS s${where} LIMIT ?`;
    return this.#archive.all<SessionRef>(sql, ...values, limit);
  }

  #keysOf(refs: readonly SessionRef[]): Set<number> {
    const sql = "SELECT key FROM text_sessions WHERE source = ? AND id = ?";
    const keys = refs.flatMap(({ source, id }) => {
      return this.#texts.get<{ key: number }>(sql, source, id)?.key ?? [];
    });
    return new Set(keys);
  }

  #allKeys(): Set<number> {
    const wanted = new Set(this.#refs(-1).map(({ source, id }) => keyOf(source, id)));
    type Row = SessionRef & { key: number };
    const rows = this.#texts.all<Row>("SELECT key, source, id FROM text_sessions");
    const found = rows.filter(({ source, id }) => wanted.has(keyOf(source, id)));
    return new Set(found.map(({ key }) => key));
  }
}
