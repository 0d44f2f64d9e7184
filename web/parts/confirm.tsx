import { useRef, useState } from "preact/hooks";
import { ask } from "../ask.ts";

export interface ConfirmProps<T> {
  /** Label of the button. */
  label: string;
  /** What will happen. */
  about: string;
  /** The request that does it. */
  path: string;
  /** Describes the result. */
  tell: (answer: T) => string;
}

/** A change to the disk: describes it and requires confirmation. */
export function Confirm<T>({ label, about, path, tell }: ConfirmProps<T>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [outcome, setOutcome] = useState("");
  const [isBusy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    setBusy(true);
    try {
      const body = JSON.stringify({ confirm: true });
      setOutcome(tell((await ask<T>(path, { method: "POST", body })).value));
    } catch (error) {
      setOutcome(error instanceof Error ? error.message : "That did not work.");
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
      <button class="button" type="button" onClick={show}>
        {label}
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
