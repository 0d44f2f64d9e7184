import type { Explanation, Transcript } from "../../src/index.ts";
import { hrefOf, hrefWith, nameOf, sessionHref } from "../address.ts";
import { brief, counted, duration, exact, exactMoney, money, when } from "../figures.ts";
import { Badges, StatusBadge } from "../parts/badges.tsx";
import { Annotations } from "../parts/annotations.tsx";
import { ProjectLink } from "../parts/project-link.tsx";
import { LineCounts } from "../parts/line-counts.tsx";
import { owner } from "../owner.ts";
import { safeText } from "../safe-text.ts";
import type { ChangedFile } from "../transcript/changes.ts";
import { CopyButton } from "../transcript/message.tsx";
import { HandOver } from "../transcript/hand-over.tsx";
import { Resume } from "../transcript/resume.tsx";
import { Opening } from "../transcript/opening.tsx";
import { SaveMenu } from "../transcript/save.tsx";
import { showing } from "../transcript/showing.ts";
import { SessionChain } from "./session-chain.tsx";

export interface SessionHeadProps {
  transcript: Transcript;
  explained: Explanation | undefined;
  files: readonly ChangedFile[];
}

/** Title and facts of the session, above the conversation. */
export function SessionHead({ transcript, explained, files }: SessionHeadProps) {
  const { session } = transcript;
  const tookMs = Date.parse(session.updatedAt ?? "") - Date.parse(session.startedAt ?? "");
  return (
    <header class="session-head">
      <p class="soft small">
        <a href="/sessions">Sessions</a> / <ProjectLink project={session.project} />
        {session.parentId !== null && (
          <>
            {" "}
            / <a href={sessionHref({ ...session, id: session.parentId })}>parent session</a>
          </>
        )}
      </p>
      <h1 dir="auto">{safeText(session.own?.title ?? session.title ?? "Untitled")}</h1>
      <p class="facts">
        {isSavedChat(session) ? (
          <span class="badge">saved by hand</span>
        ) : (
          <StatusBadge status={session.status} />
        )}
        <Badges session={session} />
        {session.models.map((model) => (
          <a key={model} href={hrefOf("/sessions", { model })}>
            {safeText(model)}
          </a>
        ))}
        {session.startedAt !== null && <span>{when(session.startedAt)}</span>}
        {tookMs > 0 && <span>{duration(tookMs)}</span>}
        <span>{counted(session.prompts, "prompt")}</span>
        <Work session={session} files={files} />
        <Spent explained={explained} sessionId={session.id} />
      </p>
      <SessionChain {...transcript} />
      <Actions session={session} />
    </header>
  );
}

/** Annotations, and what can be done with the session. */
function Actions({ session }: { session: Transcript["session"] }) {
  const { taken } = showing();
  const { rewound, rewritten } = session.messages;
  return (
    <div class="head-actions">
      {!isSavedChat(session) && (
        <Annotations on={{ sessions: [nameOf(session)] }} own={session.own} />
      )}
      <div class="toolbar">
        {rewound + rewritten > 0 && (
          <a
            class="button"
            role="button"
            aria-pressed={taken === "everything"}
            href={hrefWith({ show: taken === "live" ? "everything" : undefined })}
          >
            {[
              ...(rewound > 0 ? [`${exact(rewound)} taken back`] : []),
              ...(rewritten > 0 ? [`${exact(rewritten)} replaced`] : []),
            ].join(", ")}
          </a>
        )}
        <CopyButton text={session.id} label="Copy id" />
        {!isSavedChat(session) && owner.value === "" && <OwnActions session={session} />}
        <SaveMenu ids={[nameOf(session)]} label="Save this session as" />
      </div>
    </div>
  );
}

/** Actions on the user's own sessions. */
function OwnActions({ session }: { session: Transcript["session"] }) {
  const { id, kind } = session;
  const name = nameOf(session);
  return (
    <>
      {kind === "main" && <Resume id={name} />}
      <HandOver id={name} />
      {kind === "main" && <Opening id={id} />}
    </>
  );
}

/** Tokens and cost. A session without any recorded usage did not cost nothing. */
function Spent({
  explained,
  sessionId,
}: {
  explained: Explanation | undefined;
  sessionId: string;
}) {
  if (!explained) return null;
  const { requests, totals } = explained;
  if (requests.length === 0) return <span>no usage recorded</span>;
  const { costMicroUsd, tokens } = totals;
  return (
    <>
      <span title={exact(tokens.total)}>{brief(tokens.total)} tokens</span>
      {costMicroUsd === null ? (
        <span>price unknown</span>
      ) : (
        <strong title={exactMoney(costMicroUsd)}>{money(costMicroUsd)}</strong>
      )}
      {requests.some((request) => request.sessionId !== sessionId) && (
        <span>with its subagents</span>
      )}
    </>
  );
}

/** Tool calls and changed lines. */
function Work({
  session,
  files,
}: {
  session: Transcript["session"];
  files: readonly ChangedFile[];
}) {
  const { total, error } = session.toolCalls;
  const added = files.flatMap(({ addedLines }) => addedLines ?? []);
  const removed = files.flatMap(({ removedLines }) => removedLines ?? []);
  const sum = (counts: readonly number[]): number | null => {
    return counts.length === 0 ? null : counts.reduce((a, b) => a + b, 0);
  };
  return (
    <>
      {total > 0 && (
        <a href={hrefWith({ view: "calls" })}>
          {counted(total, "call")}
          {error > 0 && `, ${exact(error)} failed`}
        </a>
      )}
      {files.length > 0 && (
        <a href={hrefWith({ view: "changes", file: undefined })}>
          <LineCounts addedLines={sum(added)} removedLines={sum(removed)} /> in{" "}
          {counted(files.length, "file")}
        </a>
      )}
    </>
  );
}

/** A saved chat has no times, counts or status, only messages. */
export function isSavedChat({ files }: Transcript["session"]): boolean {
  return files.length > 0 && files.every(({ format }) => format === "saved-chat");
}
