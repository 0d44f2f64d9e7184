import type { Thought } from "../../../core/session/message.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import { optional } from "../../../core/optional.ts";
import { countsOf } from "../formats/usage.ts";
import type { InnerCall, Output, Text } from "../content.ts";
import { errorIn } from "../outcome.ts";
import { describeTool } from "../tools.ts";
import type { Draft } from "./draft.ts";
import { addPlace, newDraft } from "./draft.ts";
import type { PaidResponse } from "./ledger.ts";
import type { Step } from "./timeline.ts";

export interface NumberedStep {
  step: Step;
  number: number;
}

interface OpenCall {
  call: ToolCall;
  step: Step;
  turn: number;
  /** For a script: the tools that it ran. */
  inner: InnerCall[];
  isAnswered: boolean;
}

/**
 * Collects the model's messages. One response is one message: its reasoning, texts and calls follow
 * one another until an output, a prompt or the end of the turn.
 */
export class ModelSide {
  readonly #add: (draft: Draft) => void;
  readonly #calls = new Map<string, OpenCall>();
  /** Scripts of code mode; only order and turn relate them to the tools they ran. */
  readonly #scripts: OpenCall[] = [];
  #open: Draft | undefined;
  /** An output closed the last message. */
  #hasOutput = false;
  /** Up to 0.58 counts precede the calls of a response, and each output follows its call. */
  #counted: Draft | undefined;
  #inTurn: Draft[] = [];
  /** Up to 0.50 counts are written before the response they are about. */
  #pending: PaidResponse | undefined;
  #turn = 0;
  #callsInTurn: OpenCall[] = [];
  /** Calls of earlier turns without an output. */
  #unanswered: OpenCall[] = [];
  model: string | undefined;

  constructor(add: (draft: Draft) => void) {
    this.#add = add;
  }

  get hasAnswered(): boolean {
    return this.#inTurn.length > 0;
  }

  startTurn(): void {
    this.close();
    this.#turn += 1;
    const unanswered = this.#callsInTurn.filter(({ isAnswered }) => !isAnswered);
    this.#unanswered = this.#unanswered.concat(unanswered);
    this.#callsInTurn = [];
    this.#inTurn = [];
    this.#pending = undefined;
  }

  /** The last turns are undone. */
  undo(): void {
    this.startTurn();
    this.#unanswered = [];
  }

  /** The next record belongs to another response. */
  close(): void {
    this.#open = undefined;
    this.#hasOutput = false;
  }

  text(text: Text, from: "event" | "item", at: NumberedStep): void {
    const known = this.#repeated(text, from);
    if (known) this.#reopen(known);
    const draft = known ?? this.#draft(at);
    if (!known) draft.texts.push({ text, from });
    draft.message.text = draft.texts.map(({ text: said }) => said.text).join("\n\n");
    addPlace(draft, at.step.entry.place);
  }

  /** Finds the other record of the same text in this turn. Event and item repeat each text once. */
  #repeated(text: Text, from: "event" | "item"): Draft | undefined {
    for (const draft of this.#inTurn.slice(-3).toReversed()) {
      const known = draft.texts.find((said) => {
        return said.text.print === text.print && said.from === other(from);
      });
      if (!known) continue;
      known.from = "both";
      // The event of an answer with a plan does not have the plan.
      if (text.text.trim().length > known.text.text.trim().length) known.text = text;
      return draft;
    }
    return undefined;
  }

  thoughts(texts: readonly Text[], from: "event" | "item", at: NumberedStep): void {
    for (const text of texts) {
      const known = this.#repeatedThought(text.print, from);
      if (known) {
        this.#reopen(known);
        continue;
      }
      const draft = this.#draft(at);
      draft.thoughts.push({ print: text.print, from });
      draft.message.thoughts.push(thoughtOf(text.text, at.step.entry.at));
    }
  }

  #repeatedThought(print: string, from: "event" | "item"): Draft | undefined {
    for (const draft of this.#inTurn.slice(-3).toReversed()) {
      const known = draft.thoughts.find((thought) => {
        return thought.print === print && thought.from === other(from);
      });
      if (!known) continue;
      known.from = "both";
      return draft;
    }
    return undefined;
  }

  /** Up to 0.58 the items of a response, and its calls, follow its events and its counts. */
  #reopen(draft: Draft): void {
    if (draft === this.#inTurn.at(-1)) this.#open = draft;
  }

  /** Adds a thought whose text is encrypted. */
  encrypted(at: NumberedStep): void {
    const { entry } = at.step;
    const thought: Thought = { subject: "", description: "", isEncrypted: true };
    this.#draft(at).message.thoughts.push(
      entry.at === undefined ? thought : { ...thought, at: entry.at },
    );
  }

  call(call: ToolCall, at: NumberedStep): void {
    const isMore = this.#hasOutput && !this.#pending && this.#isCounted(this.#inTurn.at(-1));
    const draft = this.#draft(at);
    const own = { ...call };
    if (isMore || draft.message.usage) this.#counted = draft;
    draft.message.toolCalls.push(own);
    addPlace(draft, at.step.entry.place);
    const { step } = at;
    const open: OpenCall = { call: own, step, turn: this.#turn, inner: [], isAnswered: false };
    this.#calls.set(call.id, open);
    this.#callsInTurn.push(open);
    if (call.name === "exec") this.#scripts.push(open);
  }

  #isCounted(draft: Draft | undefined): boolean {
    return draft !== undefined && draft === this.#counted;
  }

  /** Returns false if no call matches. */
  output(output: Output, at: string | undefined): boolean {
    this.close();
    this.#hasOutput = true;
    const open = this.#calls.get(output.callId);
    if (!open) return false;
    const { call } = open;
    open.isAnswered = true;
    call.output = output.text;
    call.outcome = outcomeOf(output, open.inner);
    // A failed call changed nothing to show.
    if (call.outcome !== "success") delete call.display;
    if (call.outcome === "error") Object.assign(call, optional("error", errorIn(output.text)));
    if (at !== undefined) call.at = at;
    if (output.agentId !== undefined) call.agentId = output.agentId;
    if (output.attachments.length > 0) call.attachments = output.attachments;
    return true;
  }

  inner(inner: InnerCall): void {
    const open = this.#calls.get(inner.id) ?? this.#scriptOf(inner);
    if (!open) return;
    const isScript = open.call.name === "exec";
    open.inner.push(inner);
    addEffects(open.call, inner, isScript ? open.inner : [inner]);
    // A late result of a command that outlived its turn does not change the model's view. Only a
    // failed MCP call may look successful in its output.
    const mayBeWrong = inner.mcp !== undefined && open.call.outcome === "success";
    if (isScript || (open.isAnswered && !mayBeWrong)) return;
    if (inner.outcome !== undefined) open.call.outcome = inner.outcome;
  }

  /** Returns the open script that contains the command, otherwise the first open one. */
  #scriptOf({ shellLine }: InnerCall): OpenCall | undefined {
    const inTurn = this.#scripts.filter(({ turn }) => turn === this.#turn);
    const waiting = inTurn.filter(({ isAnswered }) => !isAnswered);
    const names = (open: OpenCall): boolean => {
      return shellLine !== undefined && (open.call.shellLine ?? "").includes(shellLine);
    };
    return waiting.find(names) ?? waiting[0] ?? this.#scripts.findLast(names);
  }

  agent(callId: string, agentId: string): void {
    const open = this.#calls.get(callId);
    if (open) open.call.agentId ??= agentId;
  }

  /** Assigns a paid response to the last message without counts, otherwise to the next one. */
  paid(paid: PaidResponse): void {
    const last = this.#inTurn.at(-1);
    const isFree = last && !this.#isCounted(last) && last.message.usage === undefined;
    if (paid.purpose !== undefined) {
      const isSummary = isFree && last.message.toolCalls.length === 0;
      if (isSummary && last.texts.every(({ from }) => from === "item")) attach(last, paid);
    } else if (isFree) {
      attach(last, paid);
      // Two processes may write to one thread in turn.
      this.close();
    } else this.#pending = paid;
  }

  /** A later turn sends the output `aborted` for calls without one, for example after a kill. */
  #abort({ isLeft }: Step): void {
    for (const { call, step } of this.#unanswered) {
      if (isLeft || !step.isLeft) call.outcome ??= "cancelled";
    }
    this.#unanswered = [];
  }

  #draft({ step, number }: NumberedStep): Draft {
    if (this.#open) return this.#open;
    this.#abort(step);
    const draft = newDraft("model", step, number);
    if (this.model !== undefined) draft.message.model = this.model;
    if (this.#pending) attach(draft, this.#pending);
    this.#pending = undefined;
    this.close();
    this.#open = draft;
    this.#inTurn.push(draft);
    this.#add(draft);
    return draft;
  }
}

function other(from: "event" | "item"): "event" | "item" {
  return from === "event" ? "item" : "event";
}

function attach({ message }: Draft, { id, usage, model, entry }: PaidResponse): void {
  message.id = id;
  message.usage = countsOf(usage);
  message.usagePlace = entry.place;
  if (model !== undefined) message.model = model;
}

/** `**Subject**\n\nDescription` */
function thoughtOf(text: string, at: string | undefined): Thought {
  const match = /^\*\*([^*\n]+)\*\*\s*([\s\S]*)$/.exec(text.trim());
  const subject = match?.[1] ?? "";
  const description = match ? (match[2] ?? "") : text;
  return { subject, description, ...(at === undefined ? {} : { at }) };
}

/**
 * Codex's own records about a tool are more reliable than the output sent to the model: a script
 * succeeds although its commands fail, and a failed MCP call may look successful.
 */
function outcomeOf(output: Output, inner: readonly InnerCall[]): NonNullable<ToolCall["outcome"]> {
  if (output.outcome !== "success") return output.outcome;
  const hasFailed = inner.some(({ outcome }) => outcome === "error" || outcome === "cancelled");
  return hasFailed ? "error" : output.outcome;
}

function addEffects(call: ToolCall, inner: InnerCall, all: readonly InnerCall[]): void {
  const lines = all.flatMap(({ shellLine }) => shellLine ?? []);
  if (lines.length > 0) call.shellLine = lines.join("\n");
  const files = all.flatMap(({ files: touched }) => touched ?? []);
  if (files.length > 0) call.files = files;
  if (inner.mcp && call.mcp === undefined && all.length === 1) {
    const { label, canonical, category } = describeTool(
      `mcp__${inner.mcp.server}__${inner.mcp.tool}`,
    );
    Object.assign(call, call.name === "exec" ? { label, canonical, category } : { category });
    call.mcp = inner.mcp;
  }
}
