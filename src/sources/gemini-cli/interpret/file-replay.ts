import type { Entry, Facts } from "../content.ts";
import type { Message, RecordedMessage, StandingReason } from "../../../core/session/message.ts";
import { isLive } from "../../../core/session/message.ts";
import type { Compression } from "../../../core/session/session.ts";
import type { DecodedFile } from "../../source.ts";
import { Arrangement } from "./arrange.ts";
import { addCopy } from "./copies.ts";
import { ReplayMessage } from "./replay-message.ts";
import type { Kept } from "./rewrite.ts";
import { classifyRewrite } from "./rewrite.ts";

/** A decoded file whose entries have been replayed. */
export type PlayedFile = DecodedFile<FileReplay>;

/** Replays the entries of one file in file order and derives their meaning. */
export class FileReplay {
  /** Later values win, except for the start: the earliest is the true one. */
  facts: Facts = {};
  headers = 0;
  readonly compressions: Compression[] = [];
  readonly #byId = new Map<string, ReplayMessage>();
  /** Every recorded message, in the order of the conversation. */
  #list: Message[] = [];
  /** The live messages. Rewrites examine only these, because the full list may be long. */
  #live: Message[] = [];
  /** Messages that moved to the end, with the number of their old positions still in the list. */
  readonly #moved = new Map<Message, number>();
  /** A header was read, and no message since. */
  #isStarting = false;

  get messages(): readonly Message[] {
    this.#forgetOldPlaces();
    return this.#list;
  }

  /** Ends the replay and releases the data that only replaying needs. */
  finish(): void {
    this.#forgetOldPlaces();
    this.#byId.clear();
    this.#live = [];
  }

  play(entry: Entry): void {
    switch (entry.kind) {
      case "header":
        this.headers += 1;
        this.#isStarting = true;
        return this.#addFacts(entry.facts);
      case "facts":
        return this.#addFacts(entry.facts);
      case "message":
        this.#add(entry.message, "line");
        return;
      case "rewrite":
        return this.#rewrite(entry.messages);
      case "rewind":
        return this.#rewind(entry.toId);
      case "unknown":
        return;
      default:
        entry satisfies never;
    }
  }

  #addFacts(facts: Facts): void {
    const startedAt = earlier(this.facts.startedAt, facts.startedAt);
    // The id of the first header is kept; resuming repeats the same one.
    const sessionId = this.facts.sessionId ?? facts.sessionId;
    Object.assign(this.facts, facts);
    if (startedAt !== undefined) this.facts.startedAt = startedAt;
    if (sessionId !== undefined) this.facts.sessionId = sessionId;
  }

  #add(recorded: RecordedMessage, from: "line" | "rewrite"): void {
    const known = this.#byId.get(recorded.id);
    if (from === "line") this.#isStarting = false;
    if (!known) return this.#append(this.#remember(recorded));
    addCopy(known, recorded, from);
    // Written again after it was taken back: it is said again, at the end.
    if (from !== "line" || known.standing !== "rewound") return;
    restore(known);
    this.#moved.set(known, (this.#moved.get(known) ?? 0) + 1);
    this.#append(known);
  }

  #append(message: Message): void {
    this.#list.push(message);
    this.#live.push(message);
  }

  #remember(recorded: RecordedMessage): ReplayMessage {
    const message = new ReplayMessage(recorded, this.#byId.size);
    this.#byId.set(message.id, message);
    return message;
  }

  #forgetOldPlaces(): void {
    if (this.#moved.size === 0) return;
    this.#list = this.#list.filter((message) => {
      const old = this.#moved.get(message) ?? 0;
      if (old > 0) this.#moved.set(message, old - 1);
      return old === 0;
    });
    this.#moved.clear();
  }

  /** Takes back the given message and all that follow; an unknown id takes back everything. */
  #rewind(toId: string): void {
    const id = this.#byId.get(toId)?.copyOf ?? toId;
    const from = Math.max(
      0,
      this.#live.findLastIndex((message) => message.id === id),
    );
    for (const message of this.#live.slice(from)) takeBack(message, "rewind");
    this.#live.length = from;
  }

  /** Applies a rewritten list of messages; `classifyRewrite` determines what it means. */
  #rewrite(listed: readonly RecordedMessage[]): void {
    const find = (id: string): ReplayMessage | undefined => this.#byId.get(id);
    const before = { live: this.#live, all: this.messages, find, isStarting: this.#isStarting };
    const verdict = classifyRewrite(before, listed);
    this.#isStarting = false;
    if (verdict.kind === "start") {
      for (const message of listed) if (!this.#byId.has(message.id)) this.#add(message, "rewrite");
      return;
    }
    for (const { message, reason } of verdict.removed) takeBack(message, reason);
    this.#arrange(verdict.kept);
    if (verdict.summary) {
      const { id, at: time } = verdict.summary;
      const when = time === undefined ? {} : { at: time };
      this.compressions.push({ how: "summary", messageId: id, ...when });
    }
  }

  /** Adopts the order of a rewrite, with originals instead of their copies. */
  #arrange(kept: readonly Kept[]): void {
    const arrangement = new Arrangement<Message>();
    const doubles: Message[] = [];
    let hasRestored = false;
    for (const { recorded, copy } of kept) {
      const known = this.#byId.get(recorded.id);
      if (copy) {
        const double = known ?? this.#remember(recorded);
        if (!known) doubles.push(double);
        this.#markCopy(double, copy);
      } else if (known) {
        addCopy(known, recorded, "rewrite");
      } else {
        arrangement.add(this.#remember(recorded));
        continue;
      }
      for (const anchor of copy?.of ?? [known]) {
        if (!anchor) continue;
        hasRestored = restore(anchor) || hasRestored;
        arrangement.meet(anchor);
      }
    }
    this.#settle(arrangement, hasRestored ? "anew" : "on");
    for (const double of doubles) this.#list.push(double);
  }

  /** A copy does not count as a second prompt or answer. */
  #markCopy(double: ReplayMessage, { of, reason }: NonNullable<Kept["copy"]>): void {
    const [original] = of;
    if (!original) return;
    double.isNowCopyOf(of);
    if (double.copyOf === undefined) double.reason = reason;
    double.standing = "rewritten";
    double.copyOf = original.id;
    double.isPrompt = false;
  }

  /** Appends to the lists, unless a message was inserted before or among the live ones. */
  #settle(arrangement: Arrangement<Message>, how: "anew" | "on"): void {
    this.#forgetOldPlaces();
    const old = this.#list;
    const { length } = old;
    this.#list = arrangement.into(old);
    if (how === "anew" || this.#list !== old) {
      this.#live = this.#list.filter(isLive);
      return;
    }
    this.#live = this.#live.filter(isLive);
    for (const message of this.#list.slice(length)) this.#live.push(message);
  }
}

function takeBack(message: Message, reason: StandingReason): void {
  const isRewind = reason === "rewind" || reason === "rollback" || reason === "cancel";
  message.standing = isRewind ? "rewound" : "rewritten";
  message.reason = reason;
}

/** Returns whether the message had been taken back. Copies are unchanged. */
function restore(message: Message): boolean {
  if (message.copyOf !== undefined || message.standing === "live") return false;
  message.standing = "live";
  message.reason = undefined;
  return true;
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Date.parse(b) < Date.parse(a) ? b : a;
}
