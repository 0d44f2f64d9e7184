import type { Entry, Facts } from "../model/entry.ts";
import type { Message, RecordedMessage, StandingReason } from "../model/message.ts";
import type { Compression } from "../model/session.ts";
import { Arrangement } from "./arrange.ts";
import { addCopy } from "./copies.ts";
import type { Kept } from "./rewrite.ts";
import { classifyRewrite } from "./rewrite.ts";

/** What the entries of one file mean, played in file order. */
export class FileReplay {
  /** Later values win, except the start: the earliest is the true one. */
  facts: Facts = {};
  headers = 0;
  readonly compressions: Compression[] = [];
  readonly #byId = new Map<string, Message>();
  /** Every message ever recorded, in the order of the conversation. */
  #list: Message[] = [];

  get messages(): readonly Message[] {
    return this.#list;
  }

  play(entry: Entry): void {
    switch (entry.kind) {
      case "header":
        this.headers += 1;
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
    // A session keeps the id that its first header gave it; resuming repeats the same one.
    const sessionId = this.facts.sessionId ?? facts.sessionId;
    this.facts = { ...this.facts, ...facts };
    if (startedAt !== undefined) this.facts.startedAt = startedAt;
    if (sessionId !== undefined) this.facts.sessionId = sessionId;
  }

  #add(recorded: RecordedMessage, from: "line" | "rewrite"): void {
    const known = this.#byId.get(recorded.id);
    if (!known) {
      this.#list.push(this.#remember(recorded));
      return;
    }
    addCopy(known, recorded, from);
    // Written again after it was taken back: it is said anew, at the end.
    if (from === "line" && known.standing === "rewound") {
      restore(known);
      this.#list = [...this.#list.filter((message) => message !== known), known];
    }
  }

  #remember(recorded: RecordedMessage): Message {
    const message: Message = { ...recorded, standing: "live", places: [recorded.place] };
    this.#byId.set(message.id, message);
    return message;
  }

  /** Takes back the named message and all that follows; an unknown name takes back everything. */
  #rewind(toId: string): void {
    const named = this.#byId.get(toId);
    const id = named?.copyOf ?? toId;
    const live = this.#list.filter(({ standing }) => standing === "live");
    const from = live.findIndex((message) => message.id === id);
    for (const message of live.slice(Math.max(0, from))) takeBack(message, "rewind");
  }

  /** The list as the writer remembers it from here on; see `classifyRewrite` for what it can mean. */
  #rewrite(listed: readonly RecordedMessage[]): void {
    const verdict = classifyRewrite(this.#list, listed);
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

  /** Takes over the order of a rewrite, with originals in the place of their copies. */
  #arrange(kept: readonly Kept[]): void {
    const arrangement = new Arrangement<Message>();
    const doubles: Message[] = [];
    for (const { recorded, original, copy } of kept) {
      const known = this.#byId.get(recorded.id);
      if (original && copy) {
        const double = known ?? this.#remember(recorded);
        if (!known) doubles.push(double);
        markCopy(double, original, copy);
      } else if (known) {
        addCopy(known, recorded, "rewrite");
      } else {
        arrangement.add(this.#remember(recorded));
        continue;
      }
      const anchor = original ?? known;
      if (!anchor) continue;
      if (anchor.copyOf === undefined) restore(anchor);
      arrangement.meet(anchor);
    }
    this.#list = [...arrangement.into(this.#list), ...doubles];
  }
}

function takeBack(message: Message, reason: StandingReason): void {
  const isRewind = reason === "rewind" || reason === "rollback" || reason === "cancel";
  message.standing = isRewind ? "rewound" : "rewritten";
  message.reason = reason;
}

function restore(message: Message): void {
  message.standing = "live";
  delete message.reason;
}

/** A copy is no second prompt and no second answer. */
function markCopy(copy: Message, original: Message, reason: StandingReason): void {
  copy.standing = "rewritten";
  copy.reason = reason;
  copy.copyOf = original.id;
  copy.isPrompt = false;
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Date.parse(b) < Date.parse(a) ? b : a;
}
