import type { Session } from "../core/session.ts";
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
  const { eventsAsRead } = await import("../queries/events.ts");
  const named = await findNamed(view, name);
  const row = named.kind === "session" ? named.row : undefined;
  const read = async (): Promise<Session> => (await exported(view, named)).session;
  yield* eventsAsRead({ row, read }, options);
}
