import { useState } from "preact/hooks";
import type { SessionSummary } from "../../src/index.ts";
import { ask, moves } from "../ask.ts";
import { owner } from "../owner.ts";
import { safeText } from "../safe-text.ts";
import { Modal } from "./modal.tsx";

export interface OwnChange {
  isStarred?: boolean;
  addTags?: string[];
  removeTags?: string[];
  note?: string | null;
  title?: string | null;
}

/** Sessions, or one message of one of them. */
interface OwnTarget {
  sessions: readonly string[];
  message?: string;
}

type Own = SessionSummary["own"];

/** An error message or an empty string, and the new annotations of the first target. */
interface Annotated {
  complaint: string;
  own?: Own;
}

/** Adds stars, tags, notes and titles. */
export async function annotate(on: OwnTarget, change: OwnChange): Promise<Annotated> {
  try {
    const body = JSON.stringify({ confirm: true, ...on, ...change });
    const { value } = await ask<{ things: { own: Own | null }[] }>("/api/annotate", {
      method: "POST",
      body,
    });
    moves.value += 1;
    const own = value.things[0]?.own;
    return { complaint: "", ...(own ? { own } : {}) };
  } catch (error) {
    return { complaint: error instanceof Error ? error.message : "Something went wrong." };
  }
}

interface AnnotationsProps {
  on: OwnTarget;
  own: Own;
}

/** A person's annotations of a session or message: star, tags, note, title. */
export function Annotations({ on, own: known }: AnnotationsProps) {
  const [complaint, setComplaint] = useState("");
  const [changed, setChanged] = useState<{ from: Own; to: Own } | undefined>(undefined);
  // Until reloaded: a conversation is not reloaded when one of its messages is annotated.
  const own = changed && changed.from === known ? changed.to : known;
  const [isEdited, setEdited] = useState(false);
  const change = async (what: OwnChange): Promise<void> => {
    const done = await annotate(on, what);
    setComplaint(done.complaint);
    if (done.complaint === "") setChanged({ from: known, to: done.own });
  };
  const isStarred = own?.isStarred === true;
  const isMessage = on.message !== undefined;
  // Annotations of other people's sessions are not shown.
  if (owner.value !== "") return null;
  const addTag = <AddTag add={(tag) => void change({ addTags: [tag] })} />;
  return (
    <div class="own">
      <button
        class="button bare star"
        type="button"
        aria-pressed={isStarred}
        aria-label={isMessage ? "Star this message" : "Star"}
        onClick={() => void change({ isStarred: !isStarred })}
      >
        {isStarred ? "★" : "☆"}
      </button>
      {own?.tags.map((tag) => (
        <span key={tag} class="tag">
          <a href={`/sessions?tag=${encodeURIComponent(tag)}`}>#{safeText(tag)}</a>
          <button
            type="button"
            aria-label={`Remove the tag ${tag}`}
            onClick={() => void change({ removeTags: [tag] })}
          >
            ×
          </button>
        </span>
      ))}
      {!isMessage && addTag}
      <button class="button bare" type="button" onClick={() => setEdited(true)}>
        {own?.note ? "Note" : isMessage ? "+ note, tag" : "+ title, note"}
      </button>
      {own?.note && <span class="own-note small">{safeText(own.note)}</span>}
      {complaint !== "" && (
        <span class="small" role="alert">
          {complaint}
        </span>
      )}
      {isEdited && (
        <Modal
          title={isMessage ? "Your own note and tags" : "Your own title and note"}
          closed={() => setEdited(false)}
        >
          {isMessage && addTag}
          <Edit own={own} hasTitle={!isMessage} save={change} />
        </Modal>
      )}
    </div>
  );
}

export function AddTag({ add }: { add: (tag: string) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") add(text.trim().replace(/^#/, ""));
        setText("");
      }}
    >
      <input
        class="field chip add-tag"
        aria-label="Add a tag"
        placeholder="+ tag"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}

interface EditProps {
  own: Own;
  hasTitle: boolean;
  save: (change: OwnChange) => Promise<void>;
}

function Edit({ own, hasTitle, save }: EditProps) {
  const [title, setTitle] = useState(own?.title ?? "");
  const [note, setNote] = useState(own?.note ?? "");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const dialog = event.currentTarget instanceof Element && event.currentTarget.closest("dialog");
    const titled = hasTitle ? { title: title.trim() || null } : {};
    await save({ ...titled, note: note.trim() || null });
    if (dialog instanceof HTMLDialogElement) dialog.close();
  };
  return (
    <form class="own-edit" onSubmit={(event) => void submit(event)}>
      {hasTitle && (
        <label>
          <span class="small soft">Title</span>
          <input
            class="field"
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
      )}
      <label>
        <span class="small soft">Note</span>
        <textarea
          class="field"
          rows={6}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <div class="toolbar">
        <button class="button main" type="submit">
          Save
        </button>
      </div>
    </form>
  );
}
