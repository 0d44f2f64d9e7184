import type { Message } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { Compression } from "../../../core/session/session.ts";
import { asName, asObject } from "../../decoding/fields.ts";
import { FORMATS } from "../read.ts";
import type { Entry, HistoryMessage, Text } from "../content.ts";
import type { Draft } from "./draft.ts";
import { newDraft } from "./draft.ts";
import type { PaidResponse } from "./ledger.ts";
import { Memory } from "./memory.ts";
import type { NumberedStep } from "./model-side.ts";
import { ModelSide } from "./model-side.ts";
import type { RolloutInGroup } from "./strands.ts";
import type { Step, Timeline } from "./timeline.ts";
import { UserSide } from "./user-side.ts";

export interface Conversation {
  messages: Message[];
  compressions: Compression[];
  /** The first directory recorded with a turn. */
  cwd?: string;
  /** The first working directory of a call. */
  workdir?: string;
}

export interface ConversationInput {
  steps: readonly Step[];
  timeline: Timeline;
  paid: ReadonlyMap<Entry, PaidResponse>;
  /** In an agent's thread, Codex writes all prompts. */
  kind: "main" | "subagent";
}

/** Builds the messages of a thread in order, without repetitions. */
export function buildConversation(script: ConversationInput): Conversation {
  const talk = new Talk(script);
  for (const [number, step] of script.steps.entries()) talk.take({ step, number });
  return talk.end();
}

/** Text that versions up to 0.58 write after a compaction; no model said it. */
const COMPACTED = "Compact task completed";
/** Up to 0.101 its picture is sent to the model as a user message. */
const VIEW_IMAGE = "view_image";

class Talk {
  readonly #script: ConversationInput;
  readonly #drafts: Draft[] = [];
  readonly #compressions: Compression[] = [];
  readonly #model: ModelSide;
  readonly #user: UserSide;
  readonly #memory = new Memory();
  #isAsked = false;
  #hasStarts = false;
  /** The last running total of tokens. */
  #total: number | undefined;
  #cwd: string | undefined;
  #workdir: string | undefined;

  constructor(script: ConversationInput) {
    this.#script = script;
    const add = (draft: Draft): void => this.#addDraft(draft);
    const isEventless = script.steps.every(({ strand }) => hasNoEvents(strand));
    this.#model = new ModelSide(add);
    this.#user = new UserSide(add, isEventless ? "none" : "recorded");
    if (script.kind === "subagent") this.#user.prompter = "program";
  }

  take(at: NumberedStep): void {
    const { entry } = at.step;
    const paid = this.#script.paid.get(entry);
    if (paid) this.#model.paid(paid);
    this.#takeEntry(entry, at);
  }

  // oxlint-disable-next-line max-lines-per-function -- one line per kind of record
  #takeEntry(entry: Entry, at: NumberedStep): void {
    switch (entry.kind) {
      case "said":
        return this.#said(entry, at);
      case "prompt":
        this.#isAsked = true;
        this.#model.close();
        return this.#prompt(entry, at);
      case "answer":
        return this.#answer(entry.text, at);
      case "thought":
        return this.#model.thoughts(entry.texts, "event", at);
      case "reasoning":
        if (entry.isEncrypted) return this.#model.encrypted(at);
        return this.#model.thoughts(entry.texts, "item", at);
      case "call":
        this.#user.settle();
        this.#user.isViewing ||= entry.call.name === VIEW_IMAGE;
        this.#workdir ??= workdirOf(entry.call.args);
        return this.#model.call(entry.call, at);
      case "output":
        if (!this.#model.output(entry, entry.at)) this.#orphan(entry, at);
        return undefined;
      case "inner":
        return this.#model.inner(entry.inner);
      case "agent":
        return this.#model.agent(entry.callId, entry.agentId);
      case "context":
        this.#model.model = entry.model ?? this.#model.model;
        this.#cwd ??= entry.cwd;
        // Up to 0.101 each request has its own context.
        return this.#model.close();
      case "state":
        return this.#model.close();
      case "turn-start":
        this.#hasStarts = true;
        this.#isAsked = false;
        this.#user.isViewing = false;
        this.#user.settle();
        return this.#model.startTurn();
      case "turn-end":
        return this.#turnEnd(entry, at);
      case "compacted":
        return this.#compacted(entry, at);
      case "review":
        if (this.#script.kind === "main") {
          this.#user.prompter = entry.mode === "entered" ? "review" : "person";
        }
        return undefined;
      case "error":
        this.#notice(entry.text.text, "error", at);
        return undefined;
      case "rollback":
        return this.#rollBack(at);
      case "counter":
        // A total that did not move ends a response without counts, or precedes the next one.
        if (entry.total.total === this.#total) this.#model.close();
        this.#total = entry.total.total;
        return undefined;
      case "meta":
      case "record":
      case "unknown":
        return undefined;
      default:
        return entry satisfies never;
    }
  }

  #prompt(entry: Extract<Entry, { kind: "prompt" }>, at: NumberedStep): void {
    // Before turns had starts (0.100), a prompt started a turn; a newer version may have resumed.
    if (!this.#hasStarts) this.#model.startTurn();
    this.#user.prompt(entry, at);
  }

  #said(said: HistoryMessage, at: NumberedStep): void {
    if (said.role === "assistant") {
      this.#user.isViewing = false;
      this.#user.settle();
      for (const part of said.parts) this.#model.text(part, "item", at);
      return;
    }
    this.#model.close();
    this.#user.said(said, at);
  }

  #answer(text: Text, at: NumberedStep): void {
    // A short text is its own fingerprint, also in an outline, where answers are cut.
    if (text.print === COMPACTED && !this.#isSaid(text)) this.#notice(text.text, "info", at);
    else this.#model.text(text, "event", at);
  }

  #isSaid({ print }: Text): boolean {
    return this.#script.steps.some(({ entry }) => {
      return entry.kind === "said" && entry.parts.some((part) => part.print === print);
    });
  }

  #orphan(entry: Extract<Entry, { kind: "output" }>, { step, number }: NumberedStep): void {
    const draft = newDraft("user", step, number);
    const { callId, text, outcome, attachments } = entry;
    draft.message.results = [{ callId, output: text, outcome }];
    draft.message.injections = [{ kind: "tool-response", text: "" }];
    draft.message.attachments = attachments;
    this.#addDraft(draft);
  }

  #addDraft(draft: Draft): void {
    this.#drafts.push(draft);
    if (this.#script.steps[draft.step]?.isLeft === false) this.#memory.add(draft);
  }

  #notice(text: string, level: "info" | "error", { step, number }: NumberedStep): Draft {
    const draft = newDraft("notice", step, number);
    draft.message.text = text;
    draft.message.level = level;
    this.#addDraft(draft);
    return draft;
  }

  #turnEnd(entry: Extract<Entry, { kind: "turn-end" }>, at: NumberedStep): void {
    this.#model.close();
    if (entry.end === "interrupted") {
      this.#notice("The turn was interrupted.", "info", at).message.signal = "cancellation";
    } else if (entry.error !== undefined) this.#notice(entry.error, "error", at);
    else if (entry.end === "silent" && this.#isAsked && !this.#model.hasAnswered) {
      this.#notice("The turn ended without an answer.", "error", at);
    }
  }

  #rollBack({ step, number }: NumberedStep): void {
    this.#user.settle();
    this.#model.undo();
    const rollback = this.#script.timeline.rollbackAt(number);
    if (rollback && !step.isLeft) this.#memory.rollBack(rollback);
  }

  /** From here on the model's context is what the compaction wrote; older messages stay on disk. */
  #compacted(entry: Extract<Entry, { kind: "compacted" }>, at: NumberedStep): void {
    const { step, number } = at;
    this.#model.startTurn();
    const draft = newDraft("user", step, number);
    draft.message.text = entry.summary.text;
    draft.message.injections = [{ kind: "compression-summary", text: entry.summary.text }];
    const { id, at: time } = draft.message;
    this.#compressions.push({
      how: "summary",
      messageId: id,
      ...(time === undefined ? {} : { at: time }),
    });
    const written = step.isLeft ? [] : this.#memory.replace(entry.history);
    for (const said of written) {
      const isSummary = said.parts.some(({ print }) => print === entry.summary.print);
      if (!isSummary) this.#user.said(said, at).message.id = `${id}:${this.#drafts.length}`;
    }
    this.#addDraft(draft);
  }

  /** Up to 0.36 an interrupted answer was shown, but never became part of the history. */
  #isForgotten({ author, toolCalls }: Draft["message"], { texts }: Pick<Draft, "texts">): boolean {
    if (author !== "model" || toolCalls.length > 0 || texts.length === 0) return false;
    return texts.every(({ from }) => from === "event") && this.#script.steps.some(isItem);
  }

  end(): Conversation {
    const { timeline } = this.#script;
    const messages = this.#drafts.map(({ message, step, isKept, isCopied, ...draft }): Message => {
      message.signature = signatureOf(message, draft);
      const stand = this.#isForgotten(message, draft)
        ? ({ standing: "rewound", reason: "cancel" } as const)
        : timeline.at(step, isKept ? "kept" : "replaced");
      return { ...message, ...stand, ...(isCopied ? { isInherited: true } : {}) };
    });
    return {
      messages,
      compressions: this.#compressions,
      ...optional("cwd", this.#cwd),
      ...optional("workdir", this.#workdir),
    };
  }
}

/** The model's history consists of items. */
function isItem({ entry }: Step): boolean {
  return entry.kind === "call" || (entry.kind === "said" && entry.role === "assistant");
}

function workdirOf(args: unknown): string | undefined {
  const given = asObject(args);
  const path = asName(given?.["workdir"]) ?? asName(given?.["working_directory"]);
  return path !== undefined && /^(?:[A-Za-z]:)?[\\/]/.test(path) ? path : undefined;
}

function hasNoEvents({ file }: RolloutInGroup): boolean {
  return file.format === FORMATS.bare || file.format === FORMATS.document;
}

/** Copies of a message have the same calls or, without calls, the same texts. */
function signatureOf(
  { author, toolCalls }: Draft["message"],
  { texts, prints }: Pick<Draft, "texts" | "prints">,
): string {
  const calls = toolCalls.map(({ id }) => id);
  const words = texts.map(({ text }) => text.print);
  return [author, ...(calls.length > 0 ? calls : [...words, ...prints])].join(",");
}
