import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface ModalProps {
  title: string;
  closed: () => void;
  children: ComponentChildren;
}

/** A dialog that is open while it is mounted. */
export function Modal({ title, closed, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={closed}>
      <div class="dialog-head">
        <h2>{title}</h2>
        <button class="button" type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {children}
    </dialog>
  );
}
