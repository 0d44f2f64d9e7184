import type { Counts } from "../../../core/counts.ts";
import { isPaid } from "../../../core/counts.ts";
import { instantOf } from "../../../core/instant.ts";
import type { Message } from "../../../core/message.ts";
import { optional } from "../../../core/optional.ts";
import type { Reply } from "../../../core/session.ts";
import type { ReplyPurpose } from "../../../core/usage-fact.ts";
import type { Entry, PaidRequest } from "../content.ts";
import type { Agent } from "./agents.ts";
import { ownersOf, runOf } from "./agents.ts";
import type { Tree } from "./tree.ts";

export type RequestEntry = Extract<Entry, { kind: "request" }>;

export interface ReplyLists {
  main: Reply[];
  byAgent: ReadonlyMap<string, readonly Reply[]>;
}

/**
 * The telemetry of a session tells every request of its processes. Those of an agent with a file go
 * to that agent's session; all others are the session's own. Nothing when there is no telemetry.
 */
export function repliesOf(
  tree: Tree,
  messages: readonly Message[],
  agents: readonly Agent[],
): ReplyLists | undefined {
  const requests = tree.entries.filter((entry) => entry.kind === "request");
  if (requests.length === 0) return undefined;
  const owners = ownersOf(requests, agents);
  const purposes = purposesOf(tree);
  const main = new ReplyList(messages);
  const lists = new Map(agents.map(({ id, messages: said }) => [id, new ReplyList(said)]));
  for (const entry of requests) {
    const run = runOf(entry.request);
    const own = run === undefined ? undefined : lists.get(owners.get(run) ?? "");
    const purpose = purposes(entry);
    const isAside = purpose !== undefined || (run !== undefined && !own);
    (own ?? main).add(entry, {
      isAside,
      ...optional("purpose", purpose),
      ...tree.standingOf(entry),
    });
  }
  const byAgent = new Map([...lists].map(([id, { replies }]) => [id, replies]));
  return { main: main.replies, byAgent };
}

/** Without telemetry the answers' own counts are all there is. */
export function repliesOfMessages(messages: readonly Message[]): Reply[] {
  return messages.flatMap((message): Reply[] => {
    const { id, usage: counts, at, model, standing, reason, place } = message;
    if (message.author !== "model" || !isPaid(counts)) return [];
    return [{ id, messageId: id, at, model, counts, standing, reason, place }];
  });
}

interface Circumstances extends Pick<Reply, "standing" | "reason" | "purpose"> {
  /** No message of the session shows it. */
  isAside: boolean;
}

/** The replies of one session, each with the message that shows it. */
class ReplyList {
  readonly replies: Reply[] = [];
  readonly #byCounts = new Map<string, Message[]>();
  /** Files of 0.15 tell no counts with an agent's answers, only times. */
  readonly #uncounted: Message[];

  constructor(messages: readonly Message[]) {
    const answers = messages.filter(({ author }) => author === "model");
    for (const answer of answers) {
      if (!answer.usage) continue;
      const key = keyOf(answer.usage);
      const same = this.#byCounts.get(key);
      if (same) same.push(answer);
      else this.#byCounts.set(key, [answer]);
    }
    this.#uncounted = this.#byCounts.size === 0 ? answers : [];
  }

  add({ uuid, at, place, request }: RequestEntry, by: Circumstances): void {
    const { counts, model, isAtLeast } = request;
    if (!isPaid(counts)) return;
    const answer = by.isAside ? undefined : this.#answerTo(request, at);
    const { standing, reason } = answer ?? by;
    // The same counts; only the telemetry tells which API counted, and whether thoughts were.
    if (answer?.usage) answer.usage = counts;
    this.replies.push({
      id: uuid,
      messageId: answer?.id ?? uuid,
      at,
      model,
      counts,
      standing,
      reason,
      ...optional("isAtLeast", isAtLeast),
      ...optional("purpose", by.purpose),
      place,
    });
  }

  #answerTo({ counts }: PaidRequest, at: string | undefined): Message | undefined {
    const same = this.#byCounts.get(keyOf(counts))?.shift();
    if (same || at === undefined) return same;
    const ms = instantOf(at);
    const next = this.#uncounted.findIndex((answer) => instantOf(answer.at ?? "") >= ms);
    return next === -1 ? undefined : this.#uncounted.splice(0, next + 1).at(-1);
  }
}

function keyOf({ input, total }: Counts): string {
  return `${input}/${total}`;
}

const MEMORY_KEEPER = /^managed-auto-memory/;

/** What a request beside the conversation was made for. */
function purposesOf(tree: Tree): (entry: RequestEntry) => ReplyPurpose | undefined {
  // Older versions give the request that wrote a summary no name; it stands right before it.
  const compressing = new Set(
    tree.entries.flatMap((entry) => (entry.kind === "compression" ? (entry.parentUuid ?? []) : [])),
  );
  return ({ uuid, request: { promptId = "", agentName = "" } }) => {
    if (promptId.startsWith("compress-") || compressing.has(uuid)) return "compression";
    if (MEMORY_KEEPER.test(agentName)) return "memory";
    return agentName.startsWith("managed-") ? "other" : undefined;
  };
}
