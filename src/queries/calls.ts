import { groupBy } from "../core/group.ts";
import type { Digest } from "../core/digest.ts";
import type { Message } from "../core/message.ts";
import type { Session } from "../core/session.ts";
import type { UsageFact } from "../core/usage-fact.ts";
import type { Money } from "./cost.ts";
import { costOf, roundMoney } from "./cost.ts";
import type { Ledger, LedgerFilter, PaidRequest } from "./ledger.ts";
import { requestsOf } from "./ledger.ts";
import { shellCommands } from "../kernel/shell/commands.ts";

/**
 * How the tool-use prompt is counted. It is prompt, and `ledger` counts it so; the parser that the
 * call record comes from puts it on the output side, and `seed` does the same.
 */
export const ARITHMETICS = ["ledger", "seed"] as const;
export type Arithmetic = (typeof ARITHMETICS)[number];

export interface CallsQuery extends LedgerFilter {
  arithmetic?: Arithmetic;
}

/** One paid reply in the words of other ledgers, one JSON line each. Unknown is `null`. */
export interface CallRecord {
  dedup_key: string;
  timestamp: string | null;
  model: string | null;
  /** Prompt tokens at the full price. */
  input_tokens: number;
  /** All that was written, thoughts included. */
  output_tokens: number;
  cached_input_tokens: number;
  cache_read_input_tokens: number;
  /** Nothing is paid for filling the cache. */
  cache_creation_input_tokens: 0;
  /** The part of `output_tokens` that was thought. */
  reasoning_tokens: number;
  /** Labels of the tools that the reply called. */
  tools: string[];
  /** Commands inside the lines that it gave to shells. */
  bash_commands: string[];
  /** The beginning of what was asked. */
  user_message: string | null;
  /** Dollars; `cost_micro_usd` is the same in whole millionths. */
  cost: number | null;
  cost_micro_usd: number | null;
  session_id: string;
  message_id: string;
  project: string;
  source: string;
  standing: string;
  file: string;
  line: number;
}

export interface CallsBasis extends Ledger {
  /** A session in full, for what was asked. */
  read(id: string): Session | undefined;
}

/** The call records, session by session: only one session is in memory at a time. */
export function* callsOf(basis: CallsBasis, query: CallsQuery = {}): Generator<CallRecord> {
  let current: Digest | undefined;
  let told = new Told(undefined, undefined);
  // Sessions in the order in which they began, wherever they come from.
  const digests = basis.digests.toSorted(byStart);
  for (const request of requestsOf({ ...basis, digests }, query)) {
    if (request.digest !== current) {
      current = request.digest;
      told = new Told(basis.read(current.summary.id), current);
    }
    yield recordOf(request, told, basis, query.arithmetic ?? "ledger");
  }
}

function byStart({ summary: a }: Digest, { summary: b }: Digest): number {
  const [first, second] = [`${a.startedAt ?? "9"} ${a.id}`, `${b.startedAt ?? "9"} ${b.id}`];
  return first < second ? -1 : 1;
}

/** What a session tells about its replies beside their counts. */
class Told {
  readonly #prompts = new Map<string, string>();
  readonly #calls: Map<string, Digest["tools"]>;

  constructor(session: Session | undefined, digest: Digest | undefined) {
    this.#calls = groupBy(digest?.tools ?? [], ({ messageId }) => messageId);
    let asked: string | undefined;
    for (const message of session?.messages ?? []) {
      if (isAsked(message)) asked = preview(message.typed ?? message.text);
      else if (asked !== undefined) this.#prompts.set(message.id, asked);
    }
  }

  promptOf({ messageId }: UsageFact): string | null {
    return this.#prompts.get(messageId) ?? null;
  }

  callsOf({ messageId }: UsageFact): Digest["tools"] {
    return this.#calls.get(messageId) ?? [];
  }
}

/** A person's prompt, or the task that an agent was given. */
function isAsked(message: Message): boolean {
  return message.isPrompt || message.injections.some(({ kind }) => kind === "delegation");
}

const PREVIEW_LENGTH = 200;

function preview(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= PREVIEW_LENGTH) return line;
  // Not through the middle of a character.
  return `${line.slice(0, PREVIEW_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

// oxlint-disable-next-line max-params -- a record is made from four different things
function recordOf(
  request: PaidRequest,
  told: Told,
  { prices }: Ledger,
  arithmetic: Arithmetic,
): CallRecord {
  const { fact, digest, at } = request;
  const price = prices.priceOf(fact.model, at);
  const counts = countsOf(fact, arithmetic);
  const cost = price.kind === "priced" ? costOf({ ...fact, ...counts }, price.rates) : undefined;
  const calls = told.callsOf(fact);
  return {
    dedup_key: fact.dedupKey,
    timestamp: at ?? null,
    model: fact.model ?? null,
    input_tokens: counts.fresh,
    output_tokens: counts.output + fact.thoughts,
    cached_input_tokens: fact.cached,
    cache_read_input_tokens: fact.cached,
    cache_creation_input_tokens: 0,
    reasoning_tokens: fact.thoughts,
    tools: calls.map(({ label }) => label),
    bash_commands: calls.flatMap(({ shellLine }) =>
      shellLine === undefined ? [] : shellCommands(shellLine),
    ),
    user_message: told.promptOf(fact),
    ...costFields(cost),
    session_id: fact.sessionId,
    message_id: fact.messageId,
    project: digest.summary.project.path ?? digest.summary.project.name,
    source: digest.summary.source,
    standing: fact.standing,
    file: fact.place.file,
    line: fact.place.line,
  };
}

function costFields(cost: Money | undefined): Pick<CallRecord, "cost" | "cost_micro_usd"> {
  if (!cost) return { cost: null, cost_micro_usd: null };
  const micro = roundMoney(cost);
  return { cost: micro / 1e6, cost_micro_usd: micro };
}

function countsOf(fact: UsageFact, arithmetic: Arithmetic): { fresh: number; output: number } {
  if (arithmetic === "ledger") return { fresh: fact.fresh, output: fact.output };
  return { fresh: fact.input - fact.cached, output: fact.output + fact.tool };
}
