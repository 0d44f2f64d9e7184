import { useEffect, useRef } from "preact/hooks";
import type { RawEntries } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { safeText } from "../safe-text.ts";

export interface RawProps {
  sessionId: string;
  messageId: string;
  closed: () => void;
}

/** The record exactly as it is in the file. */
export function Raw({ sessionId, messageId, closed }: RawProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const id = encodeURIComponent(sessionId);
  const path = `/api/sessions/${id}/entries/${encodeURIComponent(messageId)}`;
  const { value, error } = useAnswer<RawEntries>(path, "sessions");
  return (
    <dialog ref={dialog} onClose={closed} aria-label="Raw entry">
      <div class="dialog-head">
        <h2>Raw entry</h2>
        <button class="button" type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {error && <p>{error.message}</p>}
      {value?.entries.map(({ file, line, text, isCut }, at) => (
        <section key={at}>
          <p class="soft mono small">
            {file}:{line}
          </p>
          <pre tabIndex={0}>{text === null ? "The file no longer exists." : pretty(text)}</pre>
          {isCut && <p class="soft small">Only its beginning is shown.</p>}
        </section>
      ))}
    </dialog>
  );
}

function pretty(text: string): string {
  try {
    return safeText(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    // Damaged: shown unchanged.
    return safeText(text);
  }
}
