import { useEffect, useState } from "preact/hooks";
import type { Explanation, Transcript } from "../../src/index.ts";
import { address, go, hrefWith } from "../address.ts";
import type { PageProps } from "../app.tsx";
import { useAnswer } from "../ask.ts";
import { counted } from "../figures.ts";
import { Failed, Waiting } from "../parts/states.tsx";
import "../style/transcript.css";
import { Find } from "../transcript/find.tsx";
import { pricesOf, useTranscript } from "../transcript/load.ts";
import { Turns } from "../transcript/turns.tsx";
import { isSavedChat, SessionHead } from "./session-head.tsx";
import { SessionSide, usePromptKeys } from "./session-side.tsx";

/** So many messages are drawn at first; a longer session is drawn from its end. */
const DRAWN = 1000;

/** One session as a conversation. */
export default function Session({ name: id }: PageProps) {
  const { transcript, total, error } = useTranscript(id);
  if (error && !transcript) return <Failed error={error} />;
  if (!transcript) return <Waiting />;
  return <Conversation transcript={transcript} total={total} />;
}

function Conversation({ transcript, total }: { transcript: Transcript; total: number }) {
  const { session, messages } = transcript;
  const shows = address.value.query.get("show") === "everything" ? "everything" : "live";
  const request = `/api/explain/${encodeURIComponent(session.id)}`;
  const explained = useAnswer<Explanation>(isSavedChat(session) ? undefined : request);
  const isWhole = messages.length >= total;
  const [drawn, setDrawn] = useState(DRAWN);
  const visible =
    shows === "live" ? messages.filter(({ standing }) => standing === "live") : messages;
  const hidden = Math.max(0, visible.length - drawn);
  const prices = pricesOf(explained.value);
  useEffect(() => {
    document.title = `${session.title ?? "Session"} · Pollux`;
  }, [session.title]);
  useAnchor({ isWhole, hidden, shows, drawAll: () => setDrawn(Number.POSITIVE_INFINITY) });
  usePromptKeys();
  return (
    <div class="session">
      <div class="session-main">
        <SessionHead transcript={transcript} explained={explained.value} shows={shows} />
        <Find messages={visible} reveal={() => setDrawn(Number.POSITIVE_INFINITY)} />
        {hidden > 0 && (
          <p class="earlier">
            <button class="button" type="button" onClick={() => setDrawn(drawn + DRAWN)}>
              Show {counted(Math.min(hidden, DRAWN), "earlier message")}
            </button>
          </p>
        )}
        {visible.length === 0 && <p class="blank">Nothing was said in it.</p>}
        <Turns
          messages={visible.slice(hidden)}
          sessionId={session.id}
          prices={prices}
          shows={shows}
        />
        {!isWhole && <Waiting />}
      </div>
      <SessionSide transcript={transcript} visible={visible} />
    </div>
  );
}

interface Anchoring {
  isWhole: boolean;
  hidden: number;
  shows: string;
  drawAll: () => void;
}

/** A link to a message leads to it, also when it is not drawn yet. */
function useAnchor({ isWhole, hidden, shows, drawAll }: Anchoring): void {
  const { hash } = address.value;
  useEffect(() => {
    if (!isWhole || !hash.startsWith("#m-")) return undefined;
    const element = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!element && hidden > 0) drawAll();
    // What was taken back is not shown until it is asked for.
    else if (!element && shows === "live") {
      go(`${hrefWith({ show: "everything" })}${hash}`, "replace");
    }
    return showMessage(element);
  }, [isWhole, hash, hidden, shows]);
}

/** Twice: what lies between is drawn only while passing, and then has its true height. */
export function showMessage(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  element.scrollIntoView({ block: "start" });
  element.focus({ preventScroll: true });
  element.classList.add("pointed");
  const again = setTimeout(() => element.scrollIntoView({ block: "start" }), 120);
  return () => {
    clearTimeout(again);
    element.classList.remove("pointed");
  };
}
