import { useState } from "preact/hooks";
import type { About, Me } from "../answers.ts";
import { ask, generation, useAnswer } from "../ask.ts";

const CLOSED = "closed";
const EVERYBODY = "everybody";

/** On a team's server: who else may see one of the user's sessions. Nobody by default. */
export function Opening({ id }: { id: string }) {
  const about = useAnswer<About>("/api/about").value;
  const isShared = about !== undefined && about.team !== null;
  const { value: me } = useAnswer<Me>(isShared ? "/api/me" : undefined);
  const [complaint, setComplaint] = useState("");
  if (!isShared || !me) return null;
  const opened = me.opened.find(({ sessionId }) => sessionId === id);
  const chosen = opened ? `to ${opened.team ?? EVERYBODY}` : CLOSED;
  const change = async (to: string): Promise<void> => {
    const [path, more] = to === CLOSED ? ["/api/me/close", {}] : ["/api/me/open", teamOf(to)];
    const body = JSON.stringify({ session: id, ...more });
    const failed = await ask(path, { method: "POST", body }).then(
      () => "",
      (error: unknown) => (error instanceof Error ? error.message : "Something went wrong."),
    );
    setComplaint(failed);
    generation.value += 1;
  };
  const teams = [...new Set([...me.teams, ...(opened?.team ? [opened.team] : [])])];
  return (
    <>
      <select
        class="field"
        aria-label="Who else may see this session"
        value={chosen}
        onChange={(event) => void change(event.currentTarget.value)}
      >
        <option value={CLOSED}>Only you can see it</option>
        {[...teams, EVERYBODY].map((name) => (
          <option key={name} value={`to ${name}`}>
            Opened to {name === EVERYBODY ? `everybody in ${about.team}` : name}
          </option>
        ))}
      </select>
      {complaint !== "" && <span role="alert">{complaint}</span>}
    </>
  );
}

function teamOf(choice: string): { team?: string } {
  const name = choice.slice("to ".length);
  return name === EVERYBODY ? {} : { team: name };
}
