import type { Standing, StandingReason } from "../../core/message.ts";
import type { ToolFact } from "../../core/tool-fact.ts";
import type { UsageFact, UsageOddity } from "../../core/usage-fact.ts";

/**
 * Facts of one session as one text. Reading a thousand sessions then costs a thousand rows and a
 * quick parse, not a row and an object with twenty names for every reply.
 *
 *     {"session":"S","prefix":"…","models":["…"],"files":["/…"],"facts":[["m1","2026-…",0,…]]}
 */
interface PackedUsage {
  session: string;
  /** What the keys of the facts begin with. */
  prefix: string;
  models: string[];
  files: string[];
  facts: UsageRow[];
}

type UsageRow = [
  messageId: string,
  at: string | 0,
  model: number,
  standing: Standing,
  reason: StandingReason | 0,
  input: number,
  fresh: number,
  cached: number,
  output: number,
  thoughts: number,
  tool: number,
  total: number,
  remainder: number,
  file: number,
  line: number,
  start: number,
  end: number,
  oddities: UsageOddity[] | 0,
  /** Without the prefix, when it is not the message's id. */
  dedupKey: string | 0,
];

export function packUsage(session: { id: string; ledgerName: string }, facts: UsageFact[]): string {
  const prefix = `${session.ledgerName}:${session.id}:`;
  const packed: PackedUsage = { session: session.id, prefix, models: [], files: [], facts: [] };
  for (const fact of facts) packed.facts.push(usageRow(fact, packed));
  return JSON.stringify(packed);
}

function usageRow(fact: UsageFact, { prefix, models, files }: PackedUsage): UsageRow {
  const { place } = fact;
  const key = fact.dedupKey.slice(prefix.length);
  return [
    fact.messageId,
    fact.at ?? 0,
    fact.model === undefined ? -1 : numberOf(models, fact.model),
    fact.standing,
    fact.reason ?? 0,
    fact.input,
    fact.fresh,
    fact.cached,
    fact.output,
    fact.thoughts,
    fact.tool,
    fact.total,
    fact.remainder,
    numberOf(files, place.file),
    place.line,
    place.start,
    place.end,
    fact.oddities ?? 0,
    key === fact.messageId ? 0 : key,
  ];
}

export function unpackUsage(text: string): UsageFact[] {
  const { session, prefix, models, files, facts } = JSON.parse(text) as PackedUsage;
  return facts.map((row): UsageFact => {
    const [messageId, at, model, standing, reason] = row;
    const [, , , , , input, fresh, cached, output, thoughts, tool, total, remainder] = row;
    const [file, line, start, end, oddities, key] = row.slice(13) as LastFields;
    // Without spreads: there are many of them.
    const fact: UsageFact = {
      dedupKey: `${prefix}${key === 0 ? messageId : key}`,
      messageId,
      sessionId: session,
      standing,
      input,
      fresh,
      cached,
      output,
      thoughts,
      tool,
      total,
      remainder,
      place: { file: files[file] ?? "", line, start, end },
    };
    const name = models[model];
    if (at !== 0) fact.at = at;
    if (name !== undefined) fact.model = name;
    if (reason !== 0) fact.reason = reason;
    if (oddities !== 0) fact.oddities = oddities;
    return fact;
  });
}

type LastFields = [number, number, number, number, UsageOddity[] | 0, string | 0];

function numberOf(list: string[], value: string): number {
  const known = list.lastIndexOf(value);
  return known === -1 ? list.push(value) - 1 : known;
}

/** The session's id stands in every fact: once is enough. */
export function packTools(sessionId: string, facts: readonly ToolFact[]): string {
  const bare = facts.map(withoutSession);
  return JSON.stringify({ sessionId, facts: bare });
}

function withoutSession({ sessionId: _same, ...fact }: ToolFact): Omit<ToolFact, "sessionId"> {
  return fact;
}

export function unpackTools(text: string): ToolFact[] {
  const { sessionId, facts } = JSON.parse(text) as {
    sessionId: string;
    facts: Omit<ToolFact, "sessionId">[];
  };
  return facts.map((fact) => ({ sessionId, ...fact }));
}
