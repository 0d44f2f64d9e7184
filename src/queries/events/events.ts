import { timeText } from "../../core/instant.ts";
import { hash } from "node:crypto";
import { addAll } from "../../core/lists.ts";
import type { Message } from "../../core/session/message.ts";
import { isRequest, isTask } from "../../core/session/message.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionRow } from "../../core/rows/session-rows.ts";
import type { ToolCall } from "../../core/session/tool-call.ts";
import { paidReplies } from "../usage/paid-replies.ts";
import type { UsageFact } from "../../core/usage/usage-fact.ts";
import { factsOf, tokensOf } from "../../core/usage/usage-facts.ts";
import type { EventBody, EventExtra, EventTool, SessionEvent } from "./event.ts";
import type { Moment, Step, Timed } from "./timeline.ts";
import { arrange, boundedSteps, earliestOf, msOf, startByFile } from "./timeline.ts";
import { statusOf } from "../../core/session/status.ts";
import { titleOf } from "../../core/rows/summarise.ts";

export interface EventOptions {
  /** Model texts, thoughts and token counts are included only on request. */
  with?: readonly EventExtra[];
  /** Rewound messages are included by default, with their standing; `live` leaves them out. */
  standing?: "all" | "live";
}

/** An event before it gets a time; `key` makes its id stable. */
interface Draft {
  body: EventBody;
  key: string;
  message?: Pick<Message, "id" | "standing">;
}

/**
 * A session as normalised events in order: its start, prompts, tool calls with their results, its
 * end. Copies of messages create no events. For a large session, `messages` are read while
 * iterating, and `session` holds only an outline.
 */
export function* eventsOf(
  session: Session,
  options: EventOptions = {},
  messages: Iterable<Message> = session.messages,
): Generator<SessionEvent> {
  const { what, atMs: startMs, isDerived } = startOf({ ...session, title: titleOf(session) });
  const write = writer(session);
  let lastMs = startMs;
  let isBegun = false;
  for (const moment of arrange(stepsOf(session, messages, options), startMs)) {
    if (!isBegun) yield write({ what, atMs: startMs ?? moment.atMs, isDerived });
    isBegun = true;
    lastMs = later(lastMs, moment.atMs);
    yield write(moment);
  }
  if (!isBegun) yield write({ what, atMs: startMs, isDerived });
  const updatedMs = msOf(session.updatedAt);
  const isEndRecorded = updatedMs !== undefined && updatedMs >= (lastMs ?? updatedMs);
  yield write({
    what: { key: "", body: endOf(session) },
    atMs: isEndRecorded ? updatedMs : lastMs === null ? null : lastMs + 1,
    isDerived: !isEndRecorded,
  });
}

/**
 * The first event, made from the session row before the session is read, because reading a large
 * session takes time. Returns undefined if the start time is only in its messages.
 */
function firstEventOf({ session, summary }: SessionRow): SessionEvent | undefined {
  const start = startOf({ ...session, title: summary.title });
  return start.atMs === null ? undefined : writer(session)(start);
}

interface ReadSession {
  session: Session;
  messages: Iterable<Message>;
}

/** Events of a session that is not read yet; the first is emitted before reading. */
export async function* eventsAsRead(
  { row, read }: { row: SessionRow | undefined; read: () => Promise<ReadSession> },
  options: EventOptions,
): AsyncGenerator<SessionEvent> {
  const first = row && firstEventOf(row);
  if (first) yield first;
  const { session, messages } = await read();
  for (const event of eventsOf(session, options, messages)) {
    if (!first || event.seq > first.seq) yield event;
  }
}

function writer(session: Pick<Session, "id" | "source">): (timed: Timed<Draft>) => SessionEvent {
  let seq = 0;
  const seen = new Map<string, number>();
  return ({ what: { key, message, body }, atMs, isDerived }) => {
    const { type, ...rest } = body;
    const name = `${type} ${key}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const event = {
      id: hash(
        "sha256",
        JSON.stringify([session.source, session.id, type, key, count]),
        "hex",
      ).slice(0, 20),
      sessionId: session.id,
      source: session.source,
      seq,
      type,
      timestamp: timeText(atMs),
      isTimestampDerived: isDerived,
      ...(message ? { messageId: message.id, standing: message.standing } : {}),
      ...rest,
    };
    seq += 1;
    return event as SessionEvent;
  };
}

function* stepsOf(
  session: Session,
  messages: Iterable<Message>,
  options: EventOptions,
): Generator<Step<Draft>> {
  const extras = new Set(options.with);
  const facts = extras.has("usage") ? factsOf(session) : [];
  const { shown, beside } = paidReplies(session, facts);
  const isIncluded = ({ standing }: Pick<Message, "standing">): boolean =>
    options.standing !== "live" || standing === "live";
  // Requests outside the conversation belong to no message.
  const others = beside.filter(isIncluded).map(usageMoment).toSorted(byTime);
  const momentsByMessage = function* (): Generator<Moment<Draft>[]> {
    for (const message of messages) {
      const paid = shown.get(message.id) ?? [];
      const isWanted = message.copyOf === undefined && isIncluded(message);
      yield isWanted ? momentsOfMessage(session, message, { extras, paid }) : [];
    }
  };
  for (const step of boundedSteps(momentsByMessage(), earliestOf(session.messages))) {
    while ((others[0]?.recordedMs ?? Number.POSITIVE_INFINITY) < step.fromMs) yield* alone(others);
    yield step;
  }
  while (others.length > 0) yield* alone(others);
}

function* alone(others: Moment<Draft>[]): Generator<Step<Draft>> {
  const moment = others.shift();
  const fromMs = moment?.recordedMs ?? Number.NEGATIVE_INFINITY;
  if (moment) yield { moments: [moment], fromMs };
}

function byTime(a: Moment<Draft>, b: Moment<Draft>): number {
  return (a.recordedMs ?? Number.MAX_VALUE) - (b.recordedMs ?? Number.MAX_VALUE);
}

function momentsOfMessage(
  session: Session,
  message: Message,
  { extras, paid }: { extras: ReadonlySet<EventExtra>; paid: readonly UsageFact[] },
): Moment<Draft>[] {
  const said: Moment<Draft>[] = [];
  const add = (draft: Omit<Draft, "message">, at = message.at): Moment<Draft> => {
    const recordedMs = msOf(at);
    const moment = {
      what: { message, ...draft },
      ...(recordedMs === undefined ? {} : { recordedMs }),
    };
    said.push(moment);
    return moment;
  };
  if (message.author === "user") addPrompt(session, message, add);
  if (message.author !== "model") return said;
  if (extras.has("thoughts")) addThoughts(message, add);
  if (extras.has("text") && message.text.trim() !== "") {
    const { model = null, text } = message;
    add({ key: message.id, body: { type: "model_text", model, text } });
  }
  addAll(said, paid.map(usageMoment));
  addCalls(message, add);
  return said;
}

type Add = (draft: Omit<Draft, "message">, at?: string) => Moment<Draft>;

function addPrompt(session: Session, message: Message, add: Add): void {
  if (!isRequest(message)) return;
  add({
    key: message.id,
    body: {
      type: "user_prompt",
      by: isTask(message) || session.kind === "subagent" ? "agent" : "person",
      text: message.typed ?? message.text,
      files: message.references.map(({ path }) => path),
      attachments: message.attachments.length,
    },
  });
}

function addThoughts(message: Message, add: Add): void {
  message.thoughts.forEach(({ subject, description, at }, index) => {
    const body: EventBody = { type: "model_thought", subject, description };
    add({ key: `${message.id} ${index}`, body }, at ?? message.at);
  });
}

/** The usage of a reply, computed like every report; also for replies without a message. */
function usageMoment(fact: UsageFact): Moment<Draft> {
  const { messageId: id, standing, model = null, purpose = null, at } = fact;
  const body: EventBody = {
    type: "usage",
    model,
    tokens: tokensOf(fact),
    purpose,
    isAtLeast: fact.isAtLeast === true,
    webSearches: fact.webSearches,
  };
  const recordedMs = msOf(at);
  return {
    what: { key: fact.replyId, body, message: { id, standing } },
    ...(recordedMs === undefined ? {} : { recordedMs }),
  };
}

/** Adds all calls of a reply, then their results. */
function addCalls(message: Message, add: Add): void {
  const uses = message.toolCalls.map((call) => {
    const { id: callId, args: input } = call;
    const body: EventBody = { type: "tool_use", callId, tool: toolOf(call), input };
    return add({ key: `${message.id} ${callId}`, body }, madeAt(message, call));
  });
  message.toolCalls.forEach((call, index) => {
    const { outcome, output = null } = call;
    const use = uses[index];
    if (outcome === undefined) return;
    const body: EventBody = {
      type: "tool_result",
      callId: call.id,
      tool: toolOf(call),
      outcome,
      output,
      error: outcome === "success" ? null : (output ?? outcome),
      isCut: call.isCut === true,
    };
    const result = add({ key: `${message.id} ${call.id}`, body }, call.at ?? "");
    if (use) result.after = use;
  });
}

/** A message created to hold a cancelled call is slightly later than the call's end. */
function madeAt(message: Message, call: ToolCall): string | undefined {
  const [saidMs, doneMs] = [msOf(message.at), msOf(call.at)];
  return saidMs !== undefined && doneMs !== undefined && doneMs < saidMs ? call.at : message.at;
}

function toolOf({ name, canonical, category, mcp }: ToolCall): EventTool {
  return { name, canonical, category, mcp: mcp ?? null };
}

type Started = Pick<Session, "parentId" | "project" | "files" | "startedAt">;

/** The recorded start time, because a fork contains messages older than itself. */
function startOf(session: Started & { title: string | null }): Timed<Draft> {
  const { name, path = null, hash: projectHash = null } = session.project;
  const startedMs = msOf(session.startedAt);
  const byFile = startedMs === undefined ? startByFile(session.files) : null;
  const body: EventBody = {
    type: "session_start",
    isSynthesised: true,
    derivedFrom: byFile?.from ?? null,
    parentSessionId: session.parentId ?? null,
    project: { name, path, hash: projectHash },
    title: session.title,
  };
  const atMs = startedMs ?? byFile?.ms ?? null;
  return { what: { key: "", body }, atMs, isDerived: startedMs === undefined };
}

function endOf(session: Session): EventBody {
  return { type: "session_end", isSynthesised: true, status: statusOf(session) };
}

function later(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
