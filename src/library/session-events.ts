import type { EventOptions } from "../queries/events.ts";
import type { SessionEvent } from "../queries/events/event.ts";
import { findNamed } from "./contents.ts";
import { exported } from "./session-exports.ts";
import type { StoreView } from "./store-view.ts";

/** What happened in a session or a saved chat; the first is told before anything is read. */
export async function* namedEvents(
  view: StoreView,
  name: string,
  options: EventOptions,
): AsyncGenerator<SessionEvent> {
  const { eventsOf, firstEventOf } = await import("../queries/events.ts");
  const named = await findNamed(view, name);
  const first = named.kind === "session" ? firstEventOf(named.row) : undefined;
  if (first) yield first;
  const { session } = await exported(view, named);
  for (const event of eventsOf(session, options)) {
    if (!first || event.seq > first.seq) yield event;
  }
}
