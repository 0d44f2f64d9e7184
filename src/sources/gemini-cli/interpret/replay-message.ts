import type { Message, RecordedMessage } from "../../../core/session/message.ts";

/**
 * A message during replay. Sessions have hundreds of thousands of them: instances of one class
 * store their fields inline, where spread copies would need a separate property store. Common
 * fields are always set, so that code is compiled for one shape; rare fields take no memory.
 */
export class ReplayMessage implements Message {
  readonly id: string;
  readonly author: Message["author"];
  text: string;
  isPrompt: boolean;
  standing: Message["standing"] = "live";
  signature: string;
  hasRecordedCalls: boolean;
  form: Message["form"];
  place: Message["place"];
  places: Message["places"];
  references: Message["references"];
  injections: Message["injections"];
  thoughts: Message["thoughts"];
  toolCalls: Message["toolCalls"];
  results: Message["results"];
  attachments: Message["attachments"];
  partSignatures: string[];
  at: string | undefined;
  model: string | undefined;
  usage: Message["usage"];
  reason: Message["reason"] = undefined;
  declare isUnnamed?: boolean;
  declare level?: NonNullable<Message["level"]>;
  declare signal?: NonNullable<Message["signal"]>;
  declare typed?: string;
  declare copyOf?: string;
  readonly #born: number;
  #repeats: readonly Message[] | undefined;

  constructor(recorded: RecordedMessage, born: number) {
    this.#born = born;
    this.id = recorded.id;
    this.author = recorded.author;
    this.text = recorded.text;
    this.isPrompt = recorded.isPrompt;
    this.signature = recorded.signature;
    this.hasRecordedCalls = recorded.hasRecordedCalls;
    this.form = recorded.form;
    this.place = recorded.place;
    this.places = [recorded.place];
    this.references = recorded.references;
    this.injections = recorded.injections;
    this.thoughts = recorded.thoughts;
    this.toolCalls = recorded.toolCalls;
    this.results = recorded.results;
    this.attachments = recorded.attachments;
    this.partSignatures = recorded.partSignatures;
    this.at = recorded.at;
    this.model = recorded.model;
    this.usage = recorded.usage;
    if (recorded.typed !== undefined) this.typed = recorded.typed;
    if (recorded.level !== undefined) this.level = recorded.level;
    if (recorded.signal !== undefined) this.signal = recorded.signal;
    if (recorded.isUnnamed !== undefined) this.isUnnamed = recorded.isUnnamed;
  }

  /** Number of messages known before this one. */
  get born(): number {
    return this.#born;
  }

  /** For a copy: the messages that it repeats. */
  get repeats(): readonly Message[] | undefined {
    return this.#repeats;
  }

  isNowCopyOf(originals: readonly Message[]): void {
    this.#repeats = originals;
  }
}
