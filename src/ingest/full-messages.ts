import type { Message } from "../core/session/message.ts";
import type { Place } from "../core/files/place.ts";
import type { Session } from "../core/session/session.ts";
import type { ToolCall } from "../core/session/tool-call.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import type { Source } from "../sources/source.ts";
import type { OpenedFile } from "./decode.ts";
import { readSessions } from "./read-group.ts";

/** How much of a file is read in full at a time. */
const BLOCK_BYTES = 2 * 1024 * 1024;
/** The records of one message are searched in at most this many blocks. */
const MOST_BLOCKS = 8;
const NEWLINE = 10;

/** A session read at depth "outline", with its files. */
export interface OutlinedSession {
  source: Source;
  group: readonly OpenedFile[];
  session: Session;
}

/**
 * Yields the messages of a session with their full texts. Order and standing follow from the whole
 * session and come from its outline. Texts are read block by block, so that memory does not grow
 * with the session.
 *
 * A message without lines of its own (in a JSON document, or compressed) needs the whole session:
 * from there on the whole session is read in full.
 */
export function* fullMessages(
  { source, group, session }: OutlinedSession,
  blockBytes: number = BLOCK_BYTES,
): Generator<Message> {
  const blocks = new Blocks(source, group, blockBytes);
  for (const [at, outline] of session.messages.entries()) {
    const full = blocks.find(outline);
    if (full) {
      yield put(full, outline);
      continue;
    }
    const whole = readSessions(source, group, "full").find(({ id }) => id === session.id);
    yield* whole?.messages.slice(at) ?? [];
    return;
  }
}

/** Puts the texts of a full message into its outline. */
function put(full: Message, outline: Message): Message {
  const { text, typed, references, injections, thoughts, results, attachments } = full;
  return {
    ...outline,
    text,
    ...(outline.typed === undefined || typed === undefined ? {} : { typed }),
    references,
    injections,
    thoughts,
    results: results.map((result, at) => ({ ...outline.results[at], ...result })),
    attachments,
    toolCalls: full.toolCalls.map((call, at) => putCall(call, outline.toolCalls[at] ?? call)),
  };
}

function putCall(full: ToolCall, outline: ToolCall): ToolCall {
  const { args, shellLine, output, error, attachments, display, description } = full;
  const bulk = { args, shellLine, output, error, attachments, display, description };
  const known = Object.entries(bulk).filter(([, value]) => value !== undefined);
  return { ...outline, args, ...Object.fromEntries(known) };
}

type Stretch = Pick<Place, "file" | "start" | "end">;

/** A range of a file that was read in full. */
interface Block extends Stretch {
  /** By the start of their last record. */
  messages: ReadonlyMap<number, readonly Message[]>;
}

class Blocks {
  readonly #source: Source;
  readonly #group: readonly OpenedFile[];
  readonly #blockBytes: number;
  readonly #heads = new Map<string, Buffer>();
  #read: Block[] = [];

  constructor(source: Source, group: readonly OpenedFile[], blockBytes: number) {
    this.#source = source;
    this.#group = group;
    this.#blockBytes = blockBytes;
  }

  /** Returns undefined unless lines close to each other hold the whole message. */
  find(outline: Message): Message | undefined {
    const [first, last] = [outline.places[0], outline.places.at(-1)];
    if (!first || !last) return undefined;
    const isNear =
      first === last ||
      (first.file === last.file && last.end - first.start <= MOST_BLOCKS * this.#blockBytes);
    if (isNear) return this.#findIn({ ...last, start: first.start }, outline);
    // Recorded again much later: the last record is the fullest, unless each record holds only a
    // part.
    const again = this.#findIn(last, outline);
    const before = this.#messagesAt(first, first.start);
    return again && before.every((message) => isFuller(again, message)) ? again : undefined;
  }

  #findIn(stretch: Stretch, outline: Message): Message | undefined {
    const lastStart = outline.places.at(-1)?.start ?? stretch.start;
    const records = outline.places.filter((place) => isIn(place, stretch)).length;
    let range = stretch;
    for (let blocks = 1; blocks <= MOST_BLOCKS; blocks *= 2) {
      const found = this.#messagesAt(range, lastStart).filter((full) => {
        return full.places.length >= records && isWhole(full, outline);
      });
      // Ids may derive from line numbers, which differ here: then the position alone identifies it.
      const named =
        found.find(({ id }) => id === outline.id) ?? (found.length === 1 ? found[0] : undefined);
      if (named) return named;
      // Results of its calls may follow much later, and the text that it continues may come
      // earlier.
      const more = blocks * this.#blockBytes;
      range = {
        ...stretch,
        start: Math.max(0, stretch.start - more),
        end: stretch.end + 2 * more,
      };
    }
    return undefined;
  }

  #messagesAt(stretch: Stretch, lastStart: number): readonly Message[] {
    return this.#blockOf(stretch)?.messages.get(lastStart) ?? [];
  }

  #blockOf({ file, start, end }: Stretch): Block | undefined {
    const known = this.#read.find((block) => {
      return block.file === file && block.start <= start && block.end >= end;
    });
    if (known) return known;
    const opened = this.#group.find((member) => member.file.path === file);
    if (!opened) return undefined;
    const block = this.#readBlock(opened, start, Math.max(end, start + this.#blockBytes));
    this.#read = [block, ...this.#read].slice(0, 2);
    return block;
  }

  #readBlock(opened: OpenedFile, asked: number, end: number): Block {
    // Read one byte more on both sides to find where whole lines begin and end.
    const from = Math.max(0, asked - 1);
    const range = opened.bytes.range(from, end + 1);
    const isAtEnd = range.length < end + 1 - from;
    const skipped = from === 0 ? 0 : range.indexOf(NEWLINE) + 1;
    const lines = range.subarray(skipped, isAtEnd ? undefined : range.lastIndexOf(NEWLINE) + 1);
    const start = from + skipped;
    const head = start === 0 ? Buffer.alloc(0) : this.#headOf(opened);
    const bytes = Buffer.concat([head, lines]);
    const file = { ...opened.file, sizeBytes: bytes.length };
    const part = { ...opened, file, bytes: memoryBytes(opened.bytes.path, bytes) };
    const messages = new Map<number, Message[]>();
    for (const session of readSessions(this.#source, [part], "full")) {
      for (const message of session.messages) {
        const at = start - head.length + (message.places.at(-1)?.start ?? 0);
        messages.set(at, [...(messages.get(at) ?? []), message]);
      }
    }
    const reached = isAtEnd ? Number.POSITIVE_INFINITY : start + lines.length;
    return { file: opened.file.path, start, end: reached, messages };
  }

  /** Returns the first line of a file, which identifies its format. */
  #headOf({ bytes }: OpenedFile): Buffer {
    const known = this.#heads.get(bytes.path);
    if (known) return known;
    let start = bytes.range(0, this.#blockBytes);
    while (!start.includes(NEWLINE)) {
      const more = bytes.range(0, 2 * start.length);
      if (more.length === start.length) break;
      start = more;
    }
    const head = Buffer.from(start.subarray(0, start.indexOf(NEWLINE) + 1));
    this.#heads.set(bytes.path, head);
    return head;
  }
}

function isIn({ file, start, end }: Place, stretch: Stretch): boolean {
  return file === stretch.file && start >= stretch.start && end <= stretch.end;
}

/** Whether a full message has everything that its outline has. */
function isWhole(full: Message, outline: Message): boolean {
  const isSaid =
    outline.author === "model"
      ? (full.text.trim() !== "") === (outline.text !== "")
      : full.text.startsWith(outline.text);
  return isSaid && formOf(full) === formOf(outline);
}

/** The structure of a message without its texts. */
function formOf({
  author,
  attachments,
  references,
  injections,
  results,
  toolCalls,
}: Message): string {
  return JSON.stringify([
    author,
    attachments.length,
    references.map(({ path }) => path),
    injections.map(({ kind }) => kind),
    results.map(({ callId }) => callId),
    toolCalls.map(({ name, outcome, at, output }) => [name, outcome, at, output === undefined]),
  ]);
}

function isFuller(again: Message, before: Message): boolean {
  return (
    again.text.length >= before.text.length &&
    again.thoughts.length >= before.thoughts.length &&
    again.toolCalls.length >= before.toolCalls.length &&
    again.attachments.length >= before.attachments.length
  );
}
