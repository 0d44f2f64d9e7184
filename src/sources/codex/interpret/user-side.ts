import type { Attachment } from "../../../core/session/attachment.ts";
import type { Injection, InjectionKind } from "../../../core/session/message.ts";
import { isWrapper, joinParts } from "../formats/text.ts";
import { injectionsOf, isInjected, isReviewTask } from "../formats/user-text.ts";
import type { Entry, HistoryMessage, SaidPart, Text } from "../content.ts";
import type { Draft } from "./draft.ts";
import { addPlace, newDraft } from "./draft.ts";
import type { NumberedStep } from "./model-side.ts";

/**
 * The current author of prompts. During a review, the thread that requested it shows the
 * instructions of the reviewer; only the reviewer's own thread sends them.
 */
export type PromptAuthor = "person" | "program" | "review";

type Prompt = Extract<Entry, { kind: "prompt" }>;

/**
 * Collects user messages. The history has a message for each, and an event shows that a person
 * typed it; a message without an event was added by Codex. Up to 0.31 there are no events: every
 * text counts as typed that does not begin like one of Codex's own.
 */
export class UserSide {
  readonly #add: (draft: Draft) => void;
  readonly #events: "recorded" | "none";
  /** Messages whose event may follow, and events whose message may follow. */
  #waiting: Draft[] = [];
  prompter: PromptAuthor = "person";
  /** A tool has just shown the model a picture: a picture without text is that one. */
  isViewing = false;

  constructor(add: (draft: Draft) => void, events: "recorded" | "none") {
    this.#add = add;
    this.#events = events;
  }

  /** Stops matching: later records belong to something else. */
  settle(): void {
    this.#waiting = [];
  }

  said(said: HistoryMessage, at: NumberedStep): Draft {
    const typed = said.parts.filter((part) => !isWrapper(part));
    const repeated = said.role === "user" ? this.#eventOf(typed) : undefined;
    if (repeated) return this.#complete(repeated, said, at);
    const draft = this.#draftOf(said, at);
    if (isInjected(said)) {
      draft.message.injections = injectionsOf({ ...said, parts: typed });
      // A person may have typed what looks like a text of Codex's own.
      if (said.role === "user") this.#waiting.push(draft);
    } else if (this.#events === "none" && !this.#isView(draft)) this.#ask(draft, joinParts(typed));
    else {
      // Counts as added by Codex until its event is found.
      draft.message.injections = unasked(typed, said.attachments);
      this.#waiting.push(draft);
    }
    return draft;
  }

  #draftOf(said: HistoryMessage, { step, number }: NumberedStep): Draft {
    const draft = newDraft("user", step, number);
    const typed = said.parts.filter((part) => !isWrapper(part));
    draft.message.text = joinParts(typed);
    draft.message.attachments = said.attachments;
    draft.prints = [...typed.map(({ print }) => print), said.print];
    draft.waitsFor = "event";
    if (said.id !== undefined) draft.itemId = said.id;
    this.#add(draft);
    return draft;
  }

  /** Adds a prompt from an event. */
  prompt({ text, editor, attachments }: Prompt, { step, number }: NumberedStep): void {
    const again = this.#repeated(text) ?? this.#viewed(text);
    if (again) return addPlace(again, step.entry.place);
    const draft = this.#itemOf(text) ?? this.#alone(text, { step, number });
    draft.message.attachments = attached(draft.message.attachments, attachments);
    // Its position is that of the event: rollbacks count events.
    draft.step = number;
    addPlace(draft, step.entry.place);
    this.#ask(draft, editor?.typed ?? text.text);
    if (editor && draft.message.isPrompt) {
      draft.message.injections = [{ kind: "editor-context", text: editor.context }];
    }
    if (draft.waitsFor === "event") this.#waiting = [];
    else this.#waiting = [draft];
  }

  /** Up to 0.147 the prompt of a review has two events and no item. */
  #repeated({ print }: Text): Draft | undefined {
    if (this.prompter === "person") return undefined;
    return this.#waiting.find(({ waitsFor, prints }) => {
      return waitsFor === "item" && prints.includes(print);
    });
  }

  /** 0.101 records a picture that a tool read as if a person had sent it. */
  #viewed({ text }: Text): Draft | undefined {
    if (!this.isViewing || text.trim() !== "") return undefined;
    return this.#waiting.findLast((draft) => this.#isView(draft));
  }

  #isView({ message }: Draft): boolean {
    return this.isViewing && message.text === "" && message.attachments.length > 0;
  }

  #alone({ text, print }: Text, { step, number }: NumberedStep): Draft {
    const isShown = this.prompter === "review";
    const draft = newDraft(isShown ? "notice" : "user", step, number);
    if (isShown) draft.message.level = "info";
    draft.message.text = text;
    draft.prints = [print];
    draft.waitsFor = "item";
    this.#add(draft);
    return draft;
  }

  #ask({ message }: Draft, typed: string): void {
    if (message.author === "notice") return;
    const isTyped = this.prompter === "person" && !isReviewTask(typed);
    message.isPrompt = isTyped && (typed.trim() !== "" || message.attachments.length > 0);
    message.injections = isTyped ? [] : [{ kind: "delegation", text: typed }];
    if (message.isPrompt) message.typed = typed;
  }

  #itemOf({ print }: Text): Draft | undefined {
    const waiting = this.#waiting.filter(({ waitsFor }) => waitsFor === "event");
    const same = waiting.findLast(({ prints }) => prints.includes(print));
    return same ?? waiting.findLast(({ message }) => isUnclear(message));
  }

  #eventOf(typed: readonly SaidPart[]): Draft | undefined {
    const waiting = this.#waiting.filter(({ waitsFor, message }) => {
      return waitsFor === "item" && message.author === "user";
    });
    return waiting.findLast(({ prints }) => typed.some(({ print }) => prints.includes(print)));
  }

  /** Adds the item to a prompt whose event came first. */
  #complete(draft: Draft, said: HistoryMessage, { step }: NumberedStep): Draft {
    draft.message.attachments = attached(said.attachments, draft.message.attachments);
    if (said.id !== undefined) draft.itemId = said.id;
    addPlace(draft, step.entry.place);
    this.#waiting = this.#waiting.filter((waiting) => waiting !== draft);
    return draft;
  }
}

/** Whether a text is not recognised as injected and not known to be typed. */
function isUnclear({ injections }: Draft["message"]): boolean {
  return injections.every(({ kind }) => kind === "other" || kind === "tool-response");
}

/** A picture without text is the output of a tool (0.50). */
function unasked(parts: readonly SaidPart[], attachments: readonly Attachment[]): Injection[] {
  const kind: InjectionKind =
    parts.length === 0 && attachments.length > 0 ? "tool-response" : "other";
  return [{ kind, text: joinParts(parts) }];
}

/** Items have the bytes of a picture, events its path. */
function attached(items: readonly Attachment[], events: readonly Attachment[]): Attachment[] {
  if (items.length === 0) return [...events];
  return items.map((item, at) => {
    const uri = item.uri ?? events[at]?.uri;
    return uri === undefined ? item : { ...item, uri };
  });
}
