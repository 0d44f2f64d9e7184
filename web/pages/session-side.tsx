import { useState } from "preact/hooks";
import type { Explanation, MessageAnswer, Transcript } from "../../src/index.ts";
import { hrefWith } from "../address.ts";
import type { TimePoint } from "../charts/time-line.tsx";
import { TimeLine } from "../charts/time-line.tsx";
import { exact, sizeOf } from "../figures.ts";
import { safeText } from "../safe-text.ts";
import { isFinding } from "../transcript/find.tsx";
import { areAllOpen, foldAll } from "../transcript/folds.ts";
import { ERRORS, jump, PROMPTS } from "../transcript/jump.ts";
import { anchorOf } from "../transcript/message.tsx";
import type { Showing } from "../transcript/showing.ts";
import { hrefToggling, isStanding, kindName, kindsOf } from "../transcript/showing.ts";
import { baseName } from "./session-outline.tsx";

/** Up to this width the conversation comes first, and the side panel is folded above it. */
const PHONE_PX = 820;

interface SessionSideProps {
  transcript: Transcript;
  explained: Explanation | undefined;
  how: Showing;
  view: "conversation" | "changes" | "calls";
}

/** The panel beside a view: the time line, and what the conversation shows. */
export function SessionSide({ transcript, explained, how, view }: SessionSideProps) {
  const points = pointsOf(transcript, explained);
  const [isWide] = useState(() => window.innerWidth > PHONE_PX);
  return (
    <aside class="side" aria-label="About this session">
      <details open={isWide}>
        <summary>Time line and filters</summary>
        {points.length > 1 && (
          <section>
            <h2>Time line</h2>
            <TimeLine points={points} />
          </section>
        )}
        {view === "conversation" && <Shown messages={transcript.messages} how={how} />}
        {view === "changes" && (
          <section>
            <FoldAll />
          </section>
        )}
        <section class="recorded">
          <h2>Recorded in</h2>
          <ul class="files">
            {transcript.session.files.map(({ path, format, part, sizeBytes }) => (
              <li key={path}>
                <code>{safeText(path)}</code>
                <div class="soft small">
                  {format}, {part}, {sizeOf(sizeBytes)}
                </div>
              </li>
            ))}
          </ul>
        </section>
      </details>
    </aside>
  );
}

function Shown({ messages: all, how }: { messages: readonly MessageAnswer[]; how: Showing }) {
  const messages = all.filter((message) => isStanding(message, how));
  const failed = messages
    .flatMap(({ toolCalls }) => toolCalls)
    .filter(({ outcome }) => outcome === "error").length;
  return (
    <section>
      <h2>Show</h2>
      <ul class="kinds">
        {kindsOf(messages).map(({ key, count }) => (
          <li key={key}>
            <a
              class="kind"
              role="switch"
              href={hrefToggling(key, how)}
              aria-checked={!how.hidden.has(key)}
            >
              <span>{kindName(key)}</span>
              <span class="soft number">{exact(count)}</span>
            </a>
          </li>
        ))}
        {failed > 0 && (
          <li>
            <a
              class="kind"
              role="switch"
              href={hrefWith({ only: how.only ? undefined : "errors" })}
              aria-checked={how.only === "errors"}
            >
              <span>errors only</span>
              <span class="soft number">{exact(failed)}</span>
            </a>
          </li>
        )}
      </ul>
      {how.file !== undefined && (
        <p>
          <a class="button chip" href={hrefWith({ file: undefined })} title={safeText(how.file)}>
            {safeText(baseName(how.file))} ×
          </a>
        </p>
      )}
      <Ways failed={failed} />
    </section>
  );
}

/** Buttons to jump to the next prompt or error, to find words, and to fold everything. */
function Ways({ failed }: { failed: number }) {
  return (
    <div class="ways">
      <button class="button" type="button" onClick={() => jump(PROMPTS, "next")}>
        Next prompt <kbd>n</kbd>
      </button>
      {failed > 0 && (
        <button class="button" type="button" onClick={() => jump(ERRORS, "next")}>
          Next error <kbd>e</kbd>
        </button>
      )}
      <button class="button" type="button" onClick={() => (isFinding.value = true)}>
        Find <kbd>f</kbd>
      </button>
      <FoldAll />
    </div>
  );
}

function FoldAll() {
  const areOpen = areAllOpen();
  return (
    <button class="button" type="button" onClick={() => foldAll(areOpen ? "closed" : "open")}>
      {areOpen ? "Collapse all" : "Expand all"}
    </button>
  );
}

/** Each paid reply, with the prompts and errors since the previous one. */
function pointsOf(
  { session, messages }: Transcript,
  explained: Explanation | undefined,
): TimePoint[] {
  const own = explained?.requests.filter(({ sessionId }) => sessionId === session.id) ?? [];
  const paid = new Map(own.map((request) => [request.messageId, request]));
  let [isCompressed, prompts] = [false, 0];
  return messages.flatMap((message): TimePoint[] => {
    const isSummary = message.injections.some(({ kind }) => kind === "compression-summary");
    if (isSummary && message.standing === "live") isCompressed = true;
    prompts += Number(message.isPrompt);
    const request = paid.get(message.id);
    if (!request) return [];
    const errors = message.toolCalls.filter(({ outcome }) => outcome === "error").length;
    const { costMicroUsd, at } = request;
    const href = `${hrefWith({ view: undefined })}#${anchorOf(message.id)}`;
    const contextTokens = request.tokens.input;
    const point = { href, at, contextTokens, costMicroUsd, isCompressed, prompts, errors };
    [isCompressed, prompts] = [false, 0];
    return [point];
  });
}
