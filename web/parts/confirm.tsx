import { useRef, useState } from "preact/hooks";
import { ask } from "../ask.ts";
import { safeText } from "../safe-text.ts";

export interface ConfirmProps<T> {
  /** Label of the button. */
  label: string;
  /** The object of the action, where several buttons have the same label. */
  on?: string;
  /** What will happen. */
  about: string;
  /** The request that does it. */
  path: string;
  /** Further fields of the request. */
  body?: object;
  /** Describes the result. */
  tell: (answer: T) => string;
}

/** A change: describes it and requires confirmation. */
export function Confirm<T>({ label, on, about, path, body = {}, tell }: ConfirmProps<T>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [outcome, setOutcome] = useState("");
  const [isBusy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    setBusy(true);
    try {
      const sent = JSON.stringify({ confirm: true, ...body });
      setOutcome(tell((await ask<T>(path, { method: "POST", body: sent })).value));
    } catch (error) {
      setOutcome(error instanceof Error ? error.message : "Something went wrong.");
    } finally {
      setBusy(false);
    }
  };
  const show = (): void => {
    setOutcome("");
    dialog.current?.showModal();
  };
  return (
    <>
      <button class={on === undefined ? "button" : "button bare"} type="button" onClick={show}>
        {label}
        {on !== undefined && <span class="hidden-label"> {safeText(on)}</span>}
      </button>
      <dialog ref={dialog} aria-label={label}>
        <div class="dialog-head">
          <h2>{label}</h2>
        </div>
        <p class="confirm-text" role="status">
          {outcome === "" ? about : outcome}
        </p>
        <div class="toolbar">
          {outcome === "" && (
            <button class="button main" type="button" disabled={isBusy} onClick={() => void act()}>
              {isBusy ? "Working…" : label}
            </button>
          )}
          <button class="button" type="button" onClick={() => dialog.current?.close()}>
            {outcome === "" ? "Leave it" : "Close"}
          </button>
        </div>
      </dialog>
    </>
  );
}
