import type { Counts } from "../../../core/usage/counts.ts";
import { isPaid } from "../../../core/usage/counts.ts";
import { instantOf } from "../../../core/instant.ts";
import type { Message } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { Reply } from "../../../core/session/session.ts";
import type { ReplyPurpose } from "../../../core/usage/usage-fact.ts";
import type { PaidRequest, RequestEntry } from "../content.ts";
import type { Agent } from "./agents.ts";
import { ownersOf, runOf } from "./agents.ts";
import type { Tree } from "./tree.ts";

export interface ReplyLists {
  main: Reply[];
  byAgent: ReadonlyMap<string, readonly Reply[]>;
}

/**
 * Assigns requests to sessions. The telemetry of a session has every request of its processes.
 * Requests of an agent with a file belong to that agent's session, all others to the session
 * itself. Returns undefined if there is no telemetry.
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
  const strays = new Set<string | undefined>();
  for (const entry of requests) {
    const run = runOf(entry.request);
    const own = run === undefined ? undefined : lists.get(owners.get(run) ?? "");
    const purpose = purposes(entry);
    const isAside = purpose !== undefined || (run !== undefined && !own);
    if (run !== undefined && !own) strays.add(entry.request.agentName);
    (own ?? main).add(entry, {
      isAside,
      ...optional("purpose", purpose),
      ...tree.standingOf(entry),
    });
  }
  // A killed process may have written more of an agent than of the conversation.
  const byAgent = new Map(
    agents.map(({ id, name, messages: said }) => {
      const replies = lists.get(id)?.replies ?? [];
      const isLost = replies.length === 0 && !strays.has(name) && !strays.has(undefined);
      return [id, isLost ? repliesOfMessages(said) : replies];
    }),
  );
  return { main: main.replies, byAgent };
}

/** Without telemetry, the counts of the answers are the only ones. */
export function repliesOfMessages(messages: readonly Message[]): Reply[] {
  return messages.flatMap((message): Reply[] => {
    const { id, usage: counts, at, model, standing, reason, place } = message;
    if (message.author !== "model" || !isPaid(counts)) return [];
    return [{ id, messageId: id, at, model, counts, standing, reason, place }];
  });
}

interface Circumstances extends Pick<Reply, "standing" | "reason" | "purpose"> {
  /** No message of the session belongs to it. */
  isAside: boolean;
}

/** The replies of one session, each with its message. */
class ReplyList {
  readonly replies: Reply[] = [];
  readonly #byCounts = new Map<string, Message[]>();
  /** In 0.15, answers of agents have no counts, only times. */
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
    // Same counts, but only the telemetry knows which API counted, and whether thoughts were
    // counted.
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

/** Returns the purpose of requests outside the conversation. */
function purposesOf(tree: Tree): (entry: RequestEntry) => ReplyPurpose | undefined {
  // Older versions do not mark the request that wrote a summary; it is the parent of the summary.
  const compressing = new Set(
    tree.entries.flatMap((entry) => (entry.kind === "compression" ? (entry.parentUuid ?? []) : [])),
  );
  return ({ uuid, request: { promptId = "", agentName = "" } }) => {
    if (promptId.startsWith("compress-") || compressing.has(uuid)) return "compression";
    if (MEMORY_KEEPER.test(agentName)) return "memory";
    return agentName.startsWith("managed-") ? "other" : undefined;
  };
}
