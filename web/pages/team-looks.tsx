import { useState } from "preact/hooks";
import { goTo, hrefOf } from "../address.ts";
import { ask } from "../ask.ts";

interface StartedLook {
  look: number;
  owner: string;
  sessionId: string;
}

/** For auditors: open another person's session. The reason is recorded and shown to that person. */
export function AuditorLook() {
  const [complaint, setComplaint] = useState("");
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = JSON.stringify(Object.fromEntries(form));
    try {
      const { value } = await ask<StartedLook>("/api/team/looks", { method: "POST", body });
      const { look, owner, sessionId } = value;
      goTo(hrefOf(`/sessions/${encodeURIComponent(sessionId)}`, { owner, look: String(look) }));
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : "Something went wrong.");
    }
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>Look at a session</h2>
      </div>
      <p class="soft small">
        Opens one session for an hour. The access and its reason are recorded and shown to the
        person.
      </p>
      <form class="look" onSubmit={(event) => void submit(event)}>
        <Field name="subject" label="Sign-in name of the person" />
        <Field name="session" label="Session id, or its beginning" />
        <Field name="reason" label="Reason" />
        <button class="button main" type="submit">
          Look
        </button>
      </form>
      {complaint !== "" && <p role="alert">{complaint}</p>}
    </section>
  );
}

function Field({ name, label }: { name: string; label: string }) {
  return (
    <label>
      <span class="small">{label}</span>
      <input class="field" name={name} required autoComplete="off" />
    </label>
  );
}
