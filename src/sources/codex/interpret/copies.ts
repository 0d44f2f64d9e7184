import type { Message } from "../../../core/message.ts";
import type { Session } from "../../../core/session.ts";
import type { Strand } from "./strands.ts";

/**
 * Names what a thread took over by copying lines: its messages have ids of their own, and repeat
 * messages of the other thread in their order. An agent inherits a selection of them.
 */
export function linkCopies(sessions: readonly Session[], strands: readonly Strand[]): void {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  for (const { rollout, rolloutId, threadId } of strands) {
    const { copiedFrom } = rollout;
    const session = byId.get(threadId);
    if (copiedFrom === undefined || !session) continue;
    const originals = byId.get(copiedFrom)?.messages ?? [];
    const prefix = `${rolloutId}:`;
    const copies = session.messages.filter((message) => {
      return message.copyOf !== undefined && message.id.startsWith(prefix);
    });
    link(copies, originals, copiedFrom);
  }
}

function link(copies: readonly Message[], originals: readonly Message[], threadId: string): void {
  const places = new Map<string, number[]>();
  for (const [at, { signature }] of originals.entries()) {
    const known = places.get(signature);
    if (known) known.push(at);
    else places.set(signature, [at]);
  }
  for (const copy of copies) {
    const at = places.get(copy.signature)?.shift();
    copy.copyOf = (at === undefined ? undefined : originals[at]?.id) ?? `${threadId}:${copy.id}`;
  }
}
