import { useContext, useState } from "preact/hooks";
import type { MessageAnswer } from "../../src/index.ts";
import { address, hrefOf, hrefWith } from "../address.ts";
import { brief, counted, exact, exactMoney, money, sizeOf, timeOfDay, when } from "../figures.ts";
import { Annotations } from "../parts/annotations.tsx";
import { firstLine, safeText } from "../safe-text.ts";
import { Block } from "./block.tsx";
import { useFold } from "./folds.ts";
import { Images } from "./images.tsx";
import type { Priced } from "./load.ts";
import { Markdown } from "./markdown.tsx";
import { Raw } from "./raw.tsx";
import { Replaced } from "./replaced.ts";
import { ToolCall } from "./tool-call.tsx";

export interface MessageProps {
  message: MessageAnswer;
  sessionId: string;
  price: ReturnType<Priced["get"]>;
}

/** The task of a subagent: the prompt of its session. */
const DELEGATION = "delegation";

export function anchorOf(id: string): string {
  return `m-${id}`;
}

/** Whether a message shows nothing: tool results are already shown with their call. */
export function isBlank(message: MessageAnswer): boolean {
  const { isPrompt, text, injections, references, attachments, thoughts, toolCalls } = message;
  const hasInjected = injections.some((item) => item.text !== "" && item.kind !== "tool-response");
  const hasText = text.trim() !== "" && injections.every(({ kind }) => kind !== "tool-response");
  const lists = [references, attachments, thoughts, toolCalls];
  return !isPrompt && !hasText && !hasInjected && lists.every(({ length }) => length === 0);
}

/** One message: author, content and cost. */
export function Message({ message, sessionId, price }: MessageProps) {
  const { author, standing, isPrompt } = message;
  const isCompression =
    standing === "live" && message.injections.some(({ kind }) => kind === "compression-summary");
  const isTask = message.injections.some((item) => item.kind === DELEGATION);
  const kind = author === "user" ? (isPrompt || isTask ? "prompt" : "context") : author;
  return (
    <article class={`message ${kind} ${standing}`} id={anchorOf(message.id)} tabIndex={-1}>
      {standing !== "live" && (
        <p class="taken">
          {standing === "rewound" ? "Taken back" : "Replaced"}
          {message.reason !== null && ` (${message.reason})`}
        </p>
      )}
      {isCompression && <CompressionMark />}
      <Body message={message} sessionId={sessionId} />
      <Foot message={message} sessionId={sessionId} price={price} />
    </article>
  );
}

function CompressionMark() {
  const nested = useContext(Replaced);
  const isShown = nested?.isShown ?? address.value.query.get("show") === "everything";
  return (
    <p class="dividing-mark warned">
      <span>
        The conversation was compressed here
        {!isShown && (
          <>
            {" · "}
            {nested ? (
              <button class="button bare" type="button" onClick={nested.show}>
                show what it replaced
              </button>
            ) : (
              <a href={hrefWith({ show: "everything" })}>show what it replaced</a>
            )}
          </>
        )}
      </span>
    </p>
  );
}

function Body({ message, sessionId }: { message: MessageAnswer; sessionId: string }) {
  if (message.author === "notice") {
    return (
      <p class="notice-text" data-level={message.level ?? "info"} dir="auto">
        {safeText(message.text)}
      </p>
    );
  }
  if (message.author === "user") return <UserBody message={message} sessionId={sessionId} />;
  return (
    <>
      <Thoughts message={message} />
      {message.text !== "" && <Markdown text={message.text} />}
      {message.toolCalls.map((call) => (
        <ToolCall key={call.id} call={call} since={message.at} />
      ))}
      <Attachments message={message} sessionId={sessionId} />
    </>
  );
}

function UserBody({ message, sessionId }: { message: MessageAnswer; sessionId: string }) {
  const { typed, text, isPrompt, references, injections } = message;
  const said = typed ?? (injections.length > 0 ? "" : text);
  return (
    <>
      {isPrompt && said !== "" && (
        <div class="said" dir="auto">
          {safeText(said)}
        </div>
      )}
      {!isPrompt && said !== "" && <Fold title="Context given to the model" text={said} />}
      {injections
        .filter(({ kind }) => kind === DELEGATION)
        .map(({ text: task }, at) => (
          <div key={at} class="said" dir="auto">
            {safeText(task)}
          </div>
        ))}
      <Injections injections={injections.filter(({ kind }) => kind !== DELEGATION)} />
      {references.map(({ path, content }) => (
        <Fold key={path} title={path} text={content} />
      ))}
      <Attachments message={message} sessionId={sessionId} />
    </>
  );
}

/** Texts that agents add to prompts; several of them are folded to one line. */
const PLAIN_CONTEXT: ReadonlySet<string> = new Set([
  "environment",
  "instructions",
  "reminder",
  "session-context",
]);

function Injections({ injections }: Pick<MessageAnswer, "injections">) {
  const [isOpen, setOpen] = useFold();
  const plain = injections.filter(({ kind }) => PLAIN_CONTEXT.has(kind));
  const length = plain.reduce((sum, { text }) => sum + text.length, 0);
  if (plain.length < 2) return <Folds injections={injections} />;
  return (
    <>
      <Folds injections={injections.filter((item) => !plain.includes(item))} />
      <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          context{" "}
          <span class="soft">
            {counted(plain.length, "part")}, {counted(length, "character")}
          </span>
        </summary>
        {isOpen && (
          <div class="fold-list">
            <Folds injections={plain} />
          </div>
        )}
      </details>
    </>
  );
}

function Folds({ injections }: Pick<MessageAnswer, "injections">) {
  return (
    <>
      {injections.map(({ kind, text }, at) => (
        <Fold key={at} title={kind.replaceAll("-", " ")} text={text} />
      ))}
    </>
  );
}

/** A long text, folded to one line. */
function Fold({ title, text }: { title: string; text: string }) {
  const [isOpen, setOpen] = useFold();
  return (
    <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {safeText(title)} <span class="soft">{counted(text.length, "character")}</span>
      </summary>
      {isOpen && <Block text={text} />}
    </details>
  );
}

function Thoughts({ message: { thoughts } }: { message: MessageAnswer }) {
  const [isOpen, setOpen] = useFold();
  if (thoughts.length === 0) return null;
  const { subject: name = "", description: said = "" } = thoughts.at(-1) ?? {};
  const last = name === "" && said !== "" ? firstLine(said) : name;
  return (
    <details
      class="fold thoughts"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Thought <span class="soft">{safeText(last)}</span>
      </summary>
      {thoughts.map(({ subject, description }, at) => (
        <div key={at} class="thought" dir="auto">
          {subject !== "" && <strong>{safeText(subject)}</strong>}
          <Markdown text={description} />
        </div>
      ))}
    </details>
  );
}

function Attachments({ message, sessionId }: { message: MessageAnswer; sessionId: string }) {
  const attachments = [
    ...message.attachments,
    ...message.toolCalls.flatMap((call) => call.attachments),
  ];
  if (attachments.length === 0) return null;
  const hasImages = attachments.some(({ mediaType }) => mediaType.startsWith("image/"));
  return (
    <>
      <p class="badges">
        {attachments.map(({ mediaType, sizeBytes }, at) => (
          <span key={at} class="badge">
            {safeText(mediaType)} {sizeBytes === null ? "" : sizeOf(sizeBytes)}
          </span>
        ))}
      </p>
      {hasImages && <Images sessionId={sessionId} messageId={message.id} />}
    </>
  );
}

function Foot({ message, sessionId, price }: MessageProps) {
  const [isRaw, setRaw] = useState(false);
  const { tokens, model } = message;
  const link = `#${anchorOf(message.id)}`;
  return (
    <footer class="message-foot small soft">
      <a
        href={link}
        title={when(message.at)}
        aria-label={`Link to this message, ${when(message.at)}`}
      >
        {timeOfDay(message.at) || "Link"}
      </a>
      {model !== null && <a href={hrefOf("/sessions", { model })}>{model}</a>}
      {tokens?.total != null && <span title={tokenText(tokens)}>{brief(tokens.total)} tokens</span>}
      {price && price.costMicroUsd !== null && (
        <span title={exactMoney(price.costMicroUsd)}>{money(price.costMicroUsd)}</span>
      )}
      <span class={`on-message ${message.own ? "" : "actions"}`}>
        <Annotations on={{ sessions: [sessionId], message: message.id }} own={message.own} />
      </span>
      <span class="actions">
        {message.text !== "" && <CopyButton text={message.typed ?? message.text} />}
        <button class="button bare" type="button" onClick={() => setRaw(true)}>
          Raw
        </button>
      </span>
      {isRaw && <Raw sessionId={sessionId} messageId={message.id} closed={() => setRaw(false)} />}
    </footer>
  );
}

function tokenText(tokens: NonNullable<MessageAnswer["tokens"]>): string {
  const parts = Object.entries(tokens).filter(([, count]) => count !== null);
  return parts.map(([name, count]) => `${name} ${exact(count ?? 0)}`).join(", ");
}

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button class="button bare" type="button" onClick={() => void copy()}>
      {isDone ? "Copied" : label}
    </button>
  );
}
