import type { StreamedSession } from "../ingest/read-session.ts";
import type { EventOptions } from "../queries/events/events.ts";
import type { SessionEvent } from "../queries/events/event.ts";
import { findNamed, streamNamed } from "./contents.ts";
import { exported } from "./session-exports.ts";
import type { StoreView } from "./store-view.ts";

/** The events of a session or saved chat; the first one comes before the files are read. */
export async function* namedEvents(
  view: StoreView,
  name: string,
  options: EventOptions,
): AsyncGenerator<SessionEvent> {
  const { eventsAsRead } = await import("../queries/events/events.ts");
  const named = await findNamed(view, name);
  const row = named.kind === "session" ? named.row : undefined;
  // Owned replies are needed only for usage.
  const read = (): Promise<StreamedSession> =>
    options.with?.includes("usage") === true
      ? exported(view, named, { messages: "one by one", agents: "left out" })
      : streamNamed(view, named);
  yield* eventsAsRead({ row, read }, options);
}
