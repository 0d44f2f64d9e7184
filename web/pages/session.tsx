import { useEffect, useMemo, useState } from "preact/hooks";
import type { Explanation, MessageAnswer, Transcript } from "../../src/index.ts";
import { address, go, hrefWith, nameOf } from "../address.ts";
import type { PageProps } from "../app.tsx";
import { useAnswer } from "../ask.ts";
import { counted } from "../figures.ts";
import { Choice } from "../parts/choice.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import "../style/transcript.css";
import { Folder } from "../transcript/naming.ts";
import { changedFiles } from "../transcript/changes.ts";
import { Explained } from "../transcript/explained.ts";
import { Find } from "../transcript/find.tsx";
import { useJumpKeys } from "../transcript/jump.ts";
import { pricesOf, useTranscript } from "../transcript/load.ts";
import { isOwn, showing, shownOf } from "../transcript/showing.ts";
import { Turns } from "../transcript/turns.tsx";
import { SessionCalls } from "./session-calls.tsx";
import { SessionChanges } from "./session-changes.tsx";
import { isSavedChat, SessionHead } from "./session-head.tsx";
import { SessionOutline } from "./session-outline.tsx";
import { SessionSide } from "./session-side.tsx";

/** Number of messages drawn at first; a longer session is drawn from its end. */
const DRAWN = 1000;

const VIEWS = { conversation: "Conversation", changes: "Changes", calls: "Calls" } as const;
const VIEW_NAMES = ["conversation", "changes", "calls"] as const;

/** One session: what was asked, what was changed, and what it cost. */
export default function Session({ name: id }: PageProps) {
  const { transcript, total, error } = useTranscript(id);
  if (error && !transcript) return <Failed error={error} isPage />;
  if (!transcript) return <Waiting />;
  return <Review transcript={transcript} total={total} />;
}

function Review({ transcript, total }: { transcript: Transcript; total: number }) {
  const { session, messages } = transcript;
  const request = `/api/explain/${encodeURIComponent(nameOf(session))}`;
  const explained = useAnswer<Explanation>(isSavedChat(session) ? undefined : request).value;
  const folder = session.project.path;
  const own = useMemo(() => messages.filter(isOwn), [messages]);
  const files = useMemo(() => changedFiles(own, folder), [own, folder]);
  const how = showing();
  const shown = shownOf(messages, how, folder);
  const wanted = address.value.query.get("view");
  const view = VIEW_NAMES.find((name) => name === wanted) ?? "conversation";
  useEffect(() => {
    document.title = `${session.title ?? "Session"} · Pollux`;
  }, [session.title]);
  return (
    <Explained.Provider value={explained}>
      <Folder.Provider value={folder}>
        <div class="session">
          <SessionHead transcript={transcript} explained={explained} files={files} />
          <SessionOutline messages={shown} files={files} />
          <div class="session-main">
            <Choice label="View" name="view" options={VIEW_NAMES} labels={VIEWS} chosen={view} />
            {view === "changes" && <SessionChanges files={files} />}
            {view === "calls" && <SessionCalls messages={own} />}
            {view === "conversation" && (
              <Conversation
                messages={shown}
                session={session}
                explained={explained}
                isWhole={messages.length >= total}
              />
            )}
          </div>
          <SessionSide transcript={transcript} explained={explained} how={how} view={view} />
        </div>
      </Folder.Provider>
    </Explained.Provider>
  );
}

interface ConversationProps {
  messages: readonly MessageAnswer[];
  session: Transcript["session"];
  explained: Explanation | undefined;
  isWhole: boolean;
}

function Conversation({ messages, session, explained, isWhole }: ConversationProps) {
  const [drawn, setDrawn] = useState(DRAWN);
  const hidden = Math.max(0, messages.length - drawn);
  const drawAll = (): void => setDrawn(Number.POSITIVE_INFINITY);
  useAnchor({ isWhole, hidden, drawAll });
  useJumpKeys();
  return (
    <>
      <Find messages={messages} reveal={drawAll} />
      {hidden > 0 && (
        <p class="earlier">
          <button class="button" type="button" onClick={() => setDrawn(drawn + DRAWN)}>
            Show {counted(Math.min(hidden, DRAWN), "earlier message")}
          </button>
        </p>
      )}
      {messages.length === 0 && isWhole && <Nothing />}
      <Turns
        messages={messages.slice(hidden)}
        sessionId={nameOf(session)}
        prices={pricesOf(explained, session.id)}
      />
      {!isWhole && <Waiting />}
    </>
  );
}

function Nothing() {
  const { hidden, only, file } = showing();
  if (hidden.size === 0 && only === undefined && file === undefined) {
    return <p class="blank">This session has no messages.</p>;
  }
  return (
    <p class="blank">
      No messages match the selection.{" "}
      <a href={hrefWith({ hide: undefined, only: undefined, file: undefined })}>Show everything</a>
    </p>
  );
}

interface Anchoring {
  isWhole: boolean;
  hidden: number;
  drawAll: () => void;
}

/** Scrolls to the linked message; draws it first if necessary. */
function useAnchor({ isWhole, hidden, drawAll }: Anchoring): void {
  const { hash } = address.value;
  const { taken, hidden: kinds, only, file } = showing();
  const isNarrow = kinds.size > 0 || only !== undefined || file !== undefined;
  useEffect(() => {
    if (!isWhole || !hash.startsWith("#m-")) return undefined;
    const element = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!element && hidden > 0) drawAll();
    // Clear filters that hide the linked message.
    else if (!element && isNarrow) {
      const all = { hide: undefined, only: undefined, file: undefined };
      go(`${hrefWith(all)}${hash}`, "replace");
    } else if (!element && taken === "live") {
      go(`${hrefWith({ show: "everything" })}${hash}`, "replace");
    }
    return showMessage(element);
  }, [isWhole, hash, hidden, taken, isNarrow]);
}

/** Scrolls twice: messages in between get their true height only when they come into view. */
function showMessage(element: HTMLElement | null): (() => void) | undefined {
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
