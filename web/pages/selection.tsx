import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { Library } from "../../src/index.ts";
import { hrefOf } from "../address.ts";
import { ask, generation, useAnswer } from "../ask.ts";
import { counted, exact, sizeOf } from "../figures.ts";
import { Modal } from "../parts/modal.tsx";
import { AddTag, annotate } from "../parts/annotations.tsx";
import { Skeleton } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";
import { SaveMenu } from "../transcript/save.tsx";

/** The sessions selected in the list. */
const picked = signal<ReadonlySet<string>>(new Set());

export function isPicked(id: string): boolean {
  return picked.value.has(id);
}

export function pick(id: string, how: "in" | "out"): void {
  const next = new Set(picked.value);
  if (how === "in") next.add(id);
  else next.delete(id);
  picked.value = next;
}

/** Actions on the selected sessions; hidden if there are none. */
export function Selection() {
  const ids = [...picked.value];
  const [outcome, setOutcome] = useState("");
  const [isForgetting, setForgetting] = useState(false);
  const [isForgotten, setForgotten] = useState(false);
  if (ids.length === 0) return null;
  const change = async (what: Parameters<typeof annotate>[1]): Promise<void> => {
    const { complaint } = await annotate({ sessions: ids }, what);
    setOutcome(complaint === "" ? "Done." : complaint);
    if (complaint === "") generation.value += 1;
  };
  return (
    <section class="filters selection" aria-label="Selected sessions">
      <strong>{counted(ids.length, "session")}</strong>
      <AddTag add={(tag) => void change({ addTags: [tag] })} />
      <button class="button" type="button" onClick={() => void change({ isStarred: true })}>
        Star
      </button>
      <SaveMenu ids={ids} label="Save the selected sessions as" />
      {ids.length === 2 && (
        <a class="button" href={hrefOf("/compare", { sessions: ids.join(",") })}>
          Compare
        </a>
      )}
      <button class="button" type="button" onClick={() => setForgetting(true)}>
        Forget…
      </button>
      <button class="button bare" type="button" onClick={() => (picked.value = new Set())}>
        Clear selection
      </button>
      <span class="small soft" role="status">
        {outcome}
      </span>
      {isForgetting && (
        <Modal
          title="Forget these sessions"
          closed={() => {
            setForgetting(false);
            if (isForgotten) picked.value = new Set();
          }}
        >
          <Forget ids={ids} forgotten={() => setForgotten(true)} />
        </Modal>
      )}
    </section>
  );
}

type ForgetPlan = Awaited<ReturnType<Library["archive"]["planForget"]>>;

/** Shows what would be removed permanently, and removes it after confirmation. */
function Forget({ ids, forgotten }: { ids: readonly string[]; forgotten: () => void }) {
  const [outcome, setOutcome] = useState("");
  const asked = { ids: ids.join(",") };
  const plan = useAnswer<ForgetPlan>(
    outcome === "" ? hrefOf("/api/forget/plan", asked) : undefined,
  );
  const forget = async (): Promise<void> => {
    try {
      const body = JSON.stringify({ confirm: true, sessions: ids });
      const { value } = await ask<ForgetPlan>("/api/forget", { method: "POST", body });
      setOutcome(`${counted(value.sessions.length, "session")} forgotten.`);
      forgotten();
      generation.value += 1;
    } catch (error) {
      setOutcome(error instanceof Error ? error.message : "Something went wrong.");
    }
  };
  if (outcome !== "") return <p class="confirm-text">{outcome}</p>;
  if (plan.error) return <p class="confirm-text">{plan.error.message}</p>;
  if (!plan.value) return <Skeleton />;
  const { sessions, files, sizeBytes, sharedLogs } = plan.value;
  if (sessions.length === 0) return <p class="confirm-text">None of them is archived.</p>;
  return (
    <>
      <div class="confirm-text">
        <p>
          Removes {counted(sessions.length, "session")} from the archive permanently:{" "}
          {counted(files.length, "file")}, {sizeOf(sizeBytes)}, in every version. The agents’ own
          files are not changed. This cannot be undone.
        </p>
        <ul class="bullets small">
          {sessions.slice(0, 10).map(({ id, title, project }) => (
            <li key={id}>
              {safeText(title ?? id)} <span class="soft">{safeText(project)}</span>
            </li>
          ))}
        </ul>
        {sessions.length > 10 && <p class="small">and {exact(sessions.length - 10)} more</p>}
        {sharedLogs.map(({ path, prompts }) => (
          <p key={path} class="small soft">
            {counted(prompts, "prompt")} remain in a log shared with other sessions:{" "}
            <code>{safeText(path)}</code>
          </p>
        ))}
      </div>
      <div class="toolbar">
        <button class="button main" type="button" onClick={() => void forget()}>
          Forget permanently
        </button>
      </div>
    </>
  );
}
