import type { OwnLayer } from "../core/annotation.ts";
import { ownLayerOf } from "../core/annotation.ts";
import { groupBy } from "../core/group.ts";
import type { SessionSummary } from "../core/summary.ts";
import type { StoreView } from "./store-view.ts";

/** What is on the messages of a session, by their ids. */
export async function ownOfMessages(
  { store }: Pick<StoreView, "store">,
  { source, id }: Pick<SessionSummary, "source" | "id">,
): Promise<Map<string, OwnLayer>> {
  const kept = await store.annotations({ sessionIds: [id] });
  const own = new Map<string, OwnLayer>();
  for (const [messageId, group] of groupBy(kept, (each) => each.messageId ?? "")) {
    const layer = ownLayerOf(group.filter((each) => each.source === source));
    if (layer && messageId !== "") own.set(messageId, layer);
  }
  return own;
}
