import { lazy, Suspense } from "preact/compat";
import { useContext, useState } from "preact/hooks";
import { counted } from "../figures.ts";
import { Explained } from "./explained.ts";
import { pricesOf, useTranscript } from "./load.ts";
import { Replaced } from "./replaced.ts";

// Imported lazily, because turns contain calls and calls contain turns.
const Turns = lazy(async () => ({ default: (await import("./turns.tsx")).Turns }));

/** A subagent's conversation inside the call that started it. */
export function Nested({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="nested">
      <button class="button" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Fold the subagent" : "Show the subagent's conversation"}
      </button>{" "}
      <a href={`/sessions/${encodeURIComponent(id)}`}>Open by itself</a>
      {isOpen && <Conversation id={id} />}
    </section>
  );
}

function Conversation({ id }: { id: string }) {
  const prices = pricesOf(useContext(Explained), id);
  const { transcript, error, total } = useTranscript(id);
  const [isShown, setShown] = useState(false);
  if (error) return <p class="soft">{error.message}</p>;
  if (!transcript) return <p class="blank">Reading…</p>;
  return (
    <>
      <p class="soft small">{counted(total, "message")}</p>
      <Suspense fallback={null}>
        <Replaced.Provider value={{ isShown, show: () => setShown(true) }}>
          <Turns
            messages={transcript.messages.filter(({ standing }) => isShown || standing === "live")}
            sessionId={id}
            prices={prices}
          />
        </Replaced.Provider>
      </Suspense>
    </>
  );
}
