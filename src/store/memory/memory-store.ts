import type { Chain } from "../../core/chain.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { instantOf } from "../../core/instant.ts";
import type { KnownRoot } from "../../core/kept.ts";
import type { LinkedSessions } from "../../core/links.ts";
import { linkSessions } from "../../core/links.ts";
import { isWithin, matchesLedger, matchesModel } from "../../core/matches.ts";
import type { SessionFile } from "../../core/session-file.ts";
import type { SessionRow, SessionRows } from "../../core/session-rows.ts";
import type { ToolBuckets } from "../../core/tool-fact.ts";
import type { UsageBuckets, UsageFact } from "../../core/usage-fact.ts";
import { modelName } from "../../core/usage-fact.ts";
import type {
  BucketQuery,
  FileReading,
  FoundTexts,
  Leftover,
  Page,
  Reads,
  ReplyQuery,
  SessionQuery,
  SessionTexts,
  StoredCoverage,
  TextQuery,
  ToolQuery,
} from "../store.ts";
import { coverageOf } from "./coverage.ts";
import { searchTexts } from "./search.ts";
import { pageOf } from "./sessions.ts";
import { sumTools } from "./tools.ts";
import { sumUsage } from "./usage.ts";

/** A reading with its file, which no commit has made known before. */
export interface PlainReading extends FileReading {
  file: SessionFile;
  goneSinceMs?: number;
}

/** What ingest has read; anything may be absent. */
export interface PlainRows {
  sessions?: readonly SessionRows[];
  readings?: readonly PlainReading[];
  texts?: readonly SessionTexts[];
  diagnostics?: readonly Diagnostic[];
}

/**
 * The plain store: everything in memory, every question answered by walking over all of it. It
 * holds one scope, whatever is asked for. Other stores are compared with it.
 */
export class MemoryStore implements Reads {
  readonly #roots: KnownRoot[];
  readonly #sessions: SessionRows[] = [];
  readonly #readings: PlainReading[] = [];
  readonly #texts: SessionTexts[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  #linked: LinkedSessions | undefined;

  constructor(roots: readonly KnownRoot[] = []) {
    this.#roots = [...roots];
  }

  add({ sessions = [], readings = [], texts = [], diagnostics = [] }: PlainRows): void {
    this.#sessions.push(...sessions);
    this.#readings.push(...readings);
    this.#texts.push(...texts);
    this.#diagnostics.push(...diagnostics);
    this.#linked = undefined;
  }

  get #links(): LinkedSessions {
    this.#linked ??= linkSessions(this.#sessions);
    return this.#linked;
  }

  async roots(): Promise<KnownRoot[]> {
    return this.#roots;
  }

  async sessions(query: SessionQuery): Promise<Page<SessionRow>> {
    return pageOf(this.#links.sessions, query);
  }

  async usage(query: BucketQuery): Promise<UsageBuckets> {
    return sumUsage(this.#links.sessions, query);
  }

  async replies({ filter, sessionIds, named, only }: ReplyQuery): Promise<UsageFact[]> {
    const meant = this.#links.sessions
      .filter(({ summary }) => matchesLedger(summary, filter))
      .filter(({ summary }) => sessionIds?.includes(summary.id) !== false)
      .toSorted((a, b) => {
        const order = startOf(a) - startOf(b);
        return order === 0 ? compare(a.summary.id, b.summary.id) : order;
      });
    return meant.flatMap(({ summary, usage }) =>
      usage.filter((fact) => {
        const at = fact.at ?? summary.startedAt ?? undefined;
        const ms = at === undefined ? Number.NaN : instantOf(at);
        return (
          matchesModel(modelName(fact.model), filter.model) &&
          isWithin(Number.isNaN(ms) ? undefined : ms, filter) &&
          (only === undefined || fact.oddities !== undefined) &&
          (named === undefined || isNamed(fact, named))
        );
      }),
    );
  }

  async tools(query: ToolQuery): Promise<ToolBuckets> {
    return sumTools(this.#links.sessions, query);
  }

  async search(query: TextQuery): Promise<FoundTexts> {
    return searchTexts({ sessions: this.#links.sessions, texts: this.#texts }, query);
  }

  async chains(): Promise<Chain[]> {
    return this.#links.chains;
  }

  async coverage(): Promise<StoredCoverage> {
    const sessions = this.#links.sessions;
    return coverageOf(sessions, this.#readings, this.#diagnostics);
  }

  async leftovers(): Promise<Leftover[]> {
    return this.#readings.flatMap(({ rootId, path, file, leftover }) => {
      return leftover === undefined ? [] : [{ rootId, path, role: file.role, value: leftover }];
    });
  }
}

function startOf({ summary }: SessionRow): number {
  const ms = summary.startedAt === null ? Number.NaN : instantOf(summary.startedAt);
  return Number.isNaN(ms) ? Number.MAX_SAFE_INTEGER : ms;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isNamed({ messageId, replyId, dedupKey }: UsageFact, name: string): boolean {
  return messageId.startsWith(name) || replyId === name || dedupKey === name;
}
