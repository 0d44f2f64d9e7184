import { useState } from "preact/hooks";
import type { SessionSummary } from "../../src/index.ts";
import { ask, moves } from "../ask.ts";
import { safeText } from "../safe-text.ts";
import { Modal } from "./modal.tsx";

export interface OwnChange {
  isStarred?: boolean;
  addTags?: string[];
  removeTags?: string[];
  note?: string | null;
  title?: string | null;
}

/** Puts stars, tags, notes and titles on sessions; what went wrong, or nothing. */
export async function annotate(sessions: readonly string[], change: OwnChange): Promise<string> {
  try {
    const body = JSON.stringify({ confirm: true, sessions, ...change });
    await ask("/api/annotate", { method: "POST", body });
    moves.value += 1;
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "That did not work.";
  }
}

/** What a person put on a session: star, tags, a note, a title of one's own. */
export function OwnLayer({ session }: { session: SessionSummary }) {
  const { id, own } = session;
  const [complaint, setComplaint] = useState("");
  const [isEdited, setEdited] = useState(false);
  const change = async (what: OwnChange): Promise<void> => setComplaint(await annotate([id], what));
  const isStarred = own?.isStarred === true;
  return (
    <div class="own">
      <button
        class="button bare star"
        type="button"
        aria-pressed={isStarred}
        aria-label="Star"
        onClick={() => void change({ isStarred: !isStarred })}
      >
        {isStarred ? "★" : "☆"}
      </button>
      {own?.tags.map((tag) => (
        <span key={tag} class="tag">
          <a href={`/sessions?tag=${encodeURIComponent(tag)}`}>#{safeText(tag)}</a>
          <button
            type="button"
            aria-label={`Take the tag ${tag} away`}
            onClick={() => void change({ removeTags: [tag] })}
          >
            ×
          </button>
        </span>
      ))}
      <AddTag add={(tag) => void change({ addTags: [tag] })} />
      <button class="button bare" type="button" onClick={() => setEdited(true)}>
        {own?.note ? "Note" : "+ note"}
      </button>
      {own?.note && <span class="own-note small">{safeText(own.note)}</span>}
      {complaint !== "" && (
        <span class="small" role="alert">
          {complaint}
        </span>
      )}
      {isEdited && (
        <Modal title="Your own title and note" closed={() => setEdited(false)}>
          <Edit session={session} save={change} />
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
  session: SessionSummary;
  save: (change: OwnChange) => Promise<void>;
}

function Edit({ session: { own }, save }: EditProps) {
  const [title, setTitle] = useState(own?.title ?? "");
  const [note, setNote] = useState(own?.note ?? "");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const dialog = event.currentTarget instanceof Element && event.currentTarget.closest("dialog");
    await save({ title: title.trim() || null, note: note.trim() || null });
    if (dialog instanceof HTMLDialogElement) dialog.close();
  };
  return (
    <form class="own-edit" onSubmit={(event) => void submit(event)}>
      <label>
        <span class="small soft">Title</span>
        <input
          class="field"
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
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
