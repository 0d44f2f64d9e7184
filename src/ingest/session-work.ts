import { createHash } from "node:crypto";
import { addAll } from "../core/lists.ts";
import type { SessionWork, WorkKind } from "../core/rows/session-work.ts";
import { WORK_KINDS } from "../core/rows/session-work.ts";
import type { EditedPart, FileEdit } from "../core/session/file-edit.ts";
import type { Message } from "../core/session/message.ts";
import { isOriginal } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import type { ToolCall, ToolCategory } from "../core/session/tool-call.ts";
import type { UsageFact } from "../core/usage/usage-fact.ts";
import { factsOf } from "../core/usage/usage-facts.ts";

/** Messages of failed calls that are kept per tool; findings list no more. */
const MOST_FAILED = 20;
/** Tools whose repeats are wasteful; asking for the state of a plan or process again is not. */
const REPEATABLE: ReadonlySet<ToolCategory> = new Set([
  "Read",
  "Search",
  "Fetch",
  "Execute",
  "Mcp",
]);

type EditsOf = (call: ToolCall) => FileEdit[];

/** Derives the work of a session that was read in full. */
export function workOf(session: Session, editsOf: EditsOf | undefined): SessionWork {
  const reader = new WorkReader(editsOf);
  for (const message of session.messages) reader.add(message);
  return reader.end(factsOf(session), session.compressions);
}

type Counted<T extends keyof SessionWork> = SessionWork[T] extends readonly (infer Item)[]
  ? { -readonly [Field in keyof Item]: Item[Field] }
  : never;

/**
 * Derives the work of a session message by message, so that none has to stay in memory. Arguments
 * and edits are compared by digest.
 */
export class WorkReader {
  readonly #editsOf: EditsOf;
  readonly #turnOf = new Map<string, number>();
  readonly #kinds: { kind: WorkKind; isPrompted: boolean }[] = [];
  /** Whether the last command failed. */
  #hasFailed = false;
  readonly #tools = new Map<string, Counted<"tools"> & { failedIn: string[] }>();
  /** Calls since the last edit, by tool and arguments. */
  #calls = new Map<string, Counted<"repeats">>();
  readonly #repeats: Counted<"repeats">[] = [];
  readonly #edits = new Map<string, Counted<"undone">>();
  readonly #undone: Counted<"undone">[] = [];
  readonly #reads = new Map<string, Counted<"reads">>();

  constructor(editsOf: EditsOf = () => []) {
    this.#editsOf = editsOf;
  }

  add(message: Message): void {
    const { id, isPrompt, toolCalls } = message;
    if (isPrompt || this.#kinds.length === 0) {
      this.#kinds.push({ kind: "asking", isPrompted: isPrompt });
    }
    this.#turnOf.set(id, this.#kinds.length - 1);
    const isOwn = isOriginal(message);
    for (const call of toolCalls) {
      this.#classify(call);
      if (isOwn) this.#count(id, call);
    }
  }

  end(
    usage: readonly Pick<UsageFact, "messageId">[],
    compressions: Session["compressions"],
  ): SessionWork {
    this.#endRepeats();
    const numbers = this.#kinds.map(({ kind }) => WORK_KINDS.indexOf(kind));
    const other = WORK_KINDS.indexOf("other");
    const replies = usage.map(({ messageId }) => {
      return numbers[this.#turnOf.get(messageId) ?? -1] ?? other;
    });
    return {
      turns: WORK_KINDS.map((kind) => {
        return this.#kinds.filter((turn) => turn.isPrompted && turn.kind === kind).length;
      }),
      replies: replies.join(""),
      tools: [...this.#tools.values()],
      repeats: this.#repeats,
      undone: this.#undone,
      reads: [...this.#reads.values()],
      compressions: compressions.map(({ messageId = null, how }) => ({ messageId, how })),
    };
  }

  /**
   * The first that applies: an edit after a failure, in this turn or at the end of the previous
   * one; an edit; a command; any other tool call; otherwise only a question was asked.
   */
  #classify({ category, outcome }: ToolCall): void {
    const turn = this.#kinds.at(-1);
    if (!turn) return;
    if (category === "Edit") {
      if (turn.kind !== "fixing") turn.kind = this.#hasFailed ? "fixing" : "editing";
    } else if (category === "Execute") {
      if (turn.kind === "asking" || turn.kind === "exploring") turn.kind = "running";
      if (outcome !== undefined) this.#hasFailed = outcome === "error";
    } else if (turn.kind === "asking") turn.kind = "exploring";
  }

  #count(messageId: string, call: ToolCall): void {
    this.#countOutcome(messageId, call);
    this.#countRepeat(messageId, call);
    this.#countRead(messageId, call);
    for (const edit of this.#editsOf(call)) this.#countEdit(messageId, edit);
  }

  #countOutcome(messageId: string, { label, outcome }: ToolCall): void {
    const tool = this.#tools.get(label) ?? { label, calls: 0, failed: 0, failedIn: [] };
    this.#tools.set(label, tool);
    tool.calls += 1;
    if (outcome !== "error") return;
    tool.failed += 1;
    if (tool.failedIn.length < MOST_FAILED) tool.failedIn.push(messageId);
  }

  #countRepeat(messageId: string, { name, label, category, args }: ToolCall): void {
    if (category === "Edit") this.#endRepeats();
    if (!REPEATABLE.has(category)) return;
    const key = digestOf(name, args);
    const call = this.#calls.get(key) ?? { label, times: 0, messageId };
    call.times += 1;
    this.#calls.set(key, call);
  }

  #endRepeats(): void {
    addAll(
      this.#repeats,
      [...this.#calls.values()].filter(({ times }) => times > 1),
    );
    this.#calls = new Map();
  }

  #countRead(messageId: string, { files = [], outcome, output }: ToolCall): void {
    const [read, ...others] = files.filter(({ how }) => how === "read");
    if (!read || others.length > 0 || outcome !== "success") return;
    const { path } = read;
    const file = this.#reads.get(path) ?? {
      path,
      reads: 0,
      characters: 0,
      withoutOutput: 0,
      messageId,
    };
    this.#reads.set(path, file);
    file.reads += 1;
    file.characters += output?.length ?? 0;
    if (output === undefined) file.withoutOutput += 1;
    file.messageId = messageId;
  }

  #countEdit(messageId: string, { path, parts }: FileEdit): void {
    for (const { before, after } of parts) {
      const undone = this.#edits.get(editKey(path, { before: after, after: before ?? "" }));
      if (undone) this.#undone.push(undone);
      if (before !== undefined)
        this.#edits.set(editKey(path, { before, after }), { path, messageId });
    }
  }
}

function editKey(path: string, { before, after }: Pick<EditedPart, "before" | "after">): string {
  return digestOf(path, before, after);
}

function digestOf(...values: readonly unknown[]): string {
  return createHash("sha1").update(JSON.stringify(values)).digest("base64");
}
