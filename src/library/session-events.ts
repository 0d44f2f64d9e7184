import type { StreamedSession } from "../ingest/read-session.ts";
import type { EventOptions } from "../queries/events/events.ts";
import type { SessionEvent } from "../queries/events/event.ts";
import { findNamed, streamNamed } from "./contents.ts";
import { exported } from "./session-exports.ts";
import type { StoreView } from "./store-view.ts";

/** What happened in a session or a saved chat; the first is told before anything is read. */
export async function* namedEvents(
  view: StoreView,
  name: string,
  options: EventOptions,
): AsyncGenerator<SessionEvent> {
  const { eventsAsRead } = await import("../queries/events/events.ts");
  const named = await findNamed(view, name);
  const row = named.kind === "session" ? named.row : undefined;
  // Which replies it owns matters only to those who count.
  const read = (): Promise<StreamedSession> =>
    options.with?.includes("usage") === true
      ? exported(view, named, { messages: "one by one", agents: "left out" })
      : streamNamed(view, named);
  yield* eventsAsRead({ row, read }, options);
}
