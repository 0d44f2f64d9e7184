import { signal } from "@preact/signals";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import { go } from "../address.ts";

const loadPalette = () => import("./palette.tsx");
const Palette = lazy(loadPalette);
const isPaletteOpen = signal(false);
const PALETTE_MS = 400;

/** Letters typed before the palette was loaded. */
let early = "";

export function openPalette(): void {
  early = "";
  isPaletteOpen.value = true;
}

const PAGES: Readonly<Record<string, string>> = {
  o: "/",
  s: "/sessions",
  i: "/insights",
  t: "/tools",
  d: "/doctor",
};

const HELP: readonly [string, string][] = [
  ["Ctrl K", "Go to a page, project, session, file or text"],
  ["g o", "Overview"],
  ["g s", "Sessions"],
  ["g i", "Insights"],
  ["g t", "Tools"],
  ["g d", "Doctor"],
  ["/", "Search"],
  ["j k", "Next and previous in a list"],
  ["Enter", "Open"],
  ["n p", "Next and previous prompt in a session"],
  ["e E", "Next and previous error in a session"],
  ["f", "Find in a session"],
  ["?", "These keys"],
];

/** Keys that work on every page, and the list of all keys. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let before = "";
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === "k") {
        event.preventDefault();
        openPalette();
      }
      if (isTyping(event)) return;
      if (isPaletteOpen.value) {
        if (event.key.length === 1) early += event.key;
        return;
      }
      const page = before === "g" ? PAGES[event.key] : undefined;
      before = event.key;
      if (page !== undefined) go(page);
      else if (event.key === "?") dialog.current?.showModal();
      else if (event.key === "/") goSearch(event);
    };
    document.addEventListener("keydown", press);
    // Loaded in advance, because users type as soon as they open it.
    const idle = setTimeout(() => void loadPalette().catch(() => undefined), PALETTE_MS);
    return () => {
      clearTimeout(idle);
      document.removeEventListener("keydown", press);
    };
  }, []);
  return (
    <>
      {isPaletteOpen.value && (
        <Suspense fallback={null}>
          <Palette typed={() => early} closed={() => (isPaletteOpen.value = false)} />
        </Suspense>
      )}
      <dialog ref={dialog} aria-label="Keys">
        <div class="dialog-head">
          <h2>Keys</h2>
          <form method="dialog">
            <button class="button" type="submit">
              Close
            </button>
          </form>
        </div>
        <dl class="keys">
          {HELP.map(([keys, does]) => (
            <>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </>
          ))}
        </dl>
      </dialog>
    </>
  );
}

function goSearch(event: Event): void {
  event.preventDefault();
  const field = document.querySelector<HTMLElement>("[data-search]");
  if (field) field.focus();
  else go("/search");
}

export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  return target instanceof Element && target.closest("input, select, textarea, dialog") !== null;
}
