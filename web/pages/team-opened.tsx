import { useState } from "preact/hooks";
import { hrefOf } from "../address.ts";
import type { Me } from "../answers.ts";
import { ask, generation } from "../ask.ts";
import { counted, when } from "../figures.ts";
import { ownSessionHref } from "../owner.ts";
import { safeText } from "../safe-text.ts";

/** Sessions that others have opened to the user, and those that the user has opened. */
export function OpenedSessions({ me: { owners, opened, team } }: { me: Me }) {
  const [complaint, setComplaint] = useState("");
  const close = async (session: string): Promise<void> => {
    const failed = await ask("/api/me/close", {
      method: "POST",
      body: JSON.stringify({ session }),
    }).then(
      () => "",
      (error: unknown) => (error instanceof Error ? error.message : "Something went wrong."),
    );
    setComplaint(failed);
    generation.value += 1;
  };
  const isEmpty = owners.length === 0 && opened.length === 0;
  return (
    <section class="card">
      <div class="card-head">
        <h2>Opened sessions</h2>
      </div>
      {complaint !== "" && <p role="alert">{complaint}</p>}
      {isEmpty ? (
        <p class="blank">None. A session is opened on its page, to a team or to everybody.</p>
      ) : (
        <ul class="small">
          {owners.map((owner) => (
            <li key={owner.subject}>
              <a href={hrefOf("/sessions", { owner: owner.subject })}>{safeText(owner.name)}</a>:{" "}
              {counted(owner.opened, "session")} opened to you
            </li>
          ))}
          {opened.map(({ sessionId, team: to, atMs }) => (
            <li key={sessionId}>
              <a href={ownSessionHref(sessionId)}>
                <code>{safeText(sessionId.slice(0, 8))}</code>
              </a>{" "}
              of yours, to {safeText(to ?? `everybody in ${team}`)},{" "}
              {when(new Date(atMs).toISOString())}{" "}
              <button class="button bare" type="button" onClick={() => void close(sessionId)}>
                Close<span class="hidden-label"> {safeText(sessionId.slice(0, 8))}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
