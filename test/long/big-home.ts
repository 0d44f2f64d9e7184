import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A home that is written piece by piece and removed after its test. */
export class BigHome {
  readonly path: string = mkdtempSync(join(tmpdir(), "pollux-long-"));

  constructor() {
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
  }

  get root(): string {
    return join(this.path, ".gemini");
  }

  /** Writes a session file from the pieces and returns its size. */
  write(name: string, pieces: Iterable<string>): number {
    const folder = join(this.root, "tmp", "ledger", "chats");
    mkdirSync(folder, { recursive: true });
    const file = openSync(join(folder, name), "w");
    let size = 0;
    try {
      for (const piece of pieces) size += writeSync(file, piece);
    } finally {
      closeSync(file);
    }
    return size;
  }
}

export const SESSION = "5e551008-0000-4000-8000-000000000008";
const header = { sessionId: SESSION, projectHash: "a".repeat(64), startTime: time(0) };

function time(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}

/** The records of a turn: a prompt, a reply with a tool call, and the answer. */
function turn(number: number, outputLength: number): object[] {
  const second = number * 10;
  const id = `read_file-${number}`;
  const output = `line ${number} of what a tool printed\n`.repeat(Math.ceil(outputLength / 34));
  const result = [{ functionResponse: { id, name: "read_file", response: { output } } }];
  const call = { id, name: "read_file", args: { file_path: `src/${number}.ts` }, result };
  return [
    {
      id: `u${number}`,
      timestamp: time(second),
      type: "user",
      content: [{ text: `Prompt ${number}` }],
    },
    {
      ...reply(`g${number}`, second + 1),
      content: "",
      toolCalls: [
        {
          ...call,
          status: "success",
          timestamp: time(second + 2),
          resultDisplay: output.slice(0, 2000),
        },
      ],
    },
    { ...reply(`a${number}`, second + 3), content: `Answer ${number}. `.repeat(20) },
  ];
}

export const TOKENS_PER_REPLY = 1010;

function reply(id: string, second: number): object {
  const tokens = {
    input: 1000,
    output: 7,
    cached: 100,
    thoughts: 3,
    tool: 0,
    total: TOKENS_PER_REPLY,
  };
  const thoughts = [{ subject: "Reading", description: "I read it.", timestamp: time(second) }];
  return { id, timestamp: time(second), type: "gemini", thoughts, tokens, model: "gemini-2.5-pro" };
}

interface HomeSize {
  sizeBytes: number;
  /** Characters that the tool prints in each turn. */
  outputLength: number;
}

export function* appendedSession({ sizeBytes, outputLength }: HomeSize): Generator<string> {
  yield `${JSON.stringify({ ...header, lastUpdated: time(0), kind: "main" })}\n`;
  for (let size = 0, number = 0; size < sizeBytes; number += 1) {
    const lines = turn(number, outputLength).map((record) => `${JSON.stringify(record)}\n`);
    const piece = lines.join("");
    size += piece.length;
    yield piece;
  }
}

/** Short messages only: a prompt and its answers, of about 1.7 kB each. */
export function* smallMessages({ sizeBytes }: Pick<HomeSize, "sizeBytes">): Generator<string> {
  yield `${JSON.stringify({ ...header, lastUpdated: time(0), kind: "main" })}\n`;
  for (let size = 0, number = 0; size < sizeBytes; number += 1) {
    const second = number * 10;
    const said = `Prompt ${number} ${"please look at this ".repeat(80)}`;
    const prompt = { id: uuid("a", number), timestamp: time(second), type: "user" };
    const answers = [second + 1, second + 2].map((moment, at) => {
      const content = `Answer ${number}. ${"So it is, and more so. ".repeat(55)}`;
      return { ...reply(uuid(at === 0 ? "b" : "c", number), moment), content };
    });
    const lines = [{ ...prompt, content: [{ text: said }] }, ...answers];
    const piece = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    size += piece.length;
    yield piece;
  }
}

/** Ids as long as real ones. */
function uuid(first: string, number: number): string {
  return `${first.repeat(8)}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export function* documentSession({ sizeBytes, outputLength }: HomeSize): Generator<string> {
  const open = JSON.stringify({ ...header, lastUpdated: time(0) }, null, 2).replace(/\n\}$/, "");
  yield `${open},\n  "messages": [\n`;
  for (let size = 0, number = 0; size < sizeBytes; number += 1) {
    const records = turn(number, outputLength).map((record) => JSON.stringify(record, null, 2));
    const piece = (number === 0 ? "" : ",\n") + records.join(",\n");
    size += piece.length;
    yield piece;
  }
  yield '\n  ],\n  "summary": "A very long session"\n}\n';
}
