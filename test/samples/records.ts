// Records as Gemini CLI writes them.

export function jsonl(...records: object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

export const header = (sessionId: string, more: object = {}): object => ({
  sessionId,
  projectHash: "cafe",
  startTime: at(0),
  lastUpdated: at(0),
  kind: "main",
  ...more,
});

/** Timestamp this many seconds after the start. */
export function at(seconds: number): string {
  return new Date(Date.UTC(2026, 1, 10, 17, 28, 0) + seconds * 1000).toISOString();
}

/** The text, and further members of the record. */
type Said = string | { text?: string; [more: string]: unknown };

export function user(id: string, seconds: number, said: Said): object {
  const { text = "", ...more } = typeof said === "string" ? { text: said } : said;
  return { id, timestamp: at(seconds), type: "user", content: [{ text }], ...more };
}

/** The counts differ per reply: equal counts look like two reports of one request. */
export function model(id: string, seconds: number, said: Said): object {
  const { text = "", ...more } = typeof said === "string" ? { text: said } : said;
  return {
    id,
    timestamp: at(seconds),
    type: "gemini",
    content: text,
    thoughts: [],
    tokens: tokens(1000 + Math.round(seconds)),
    model: "gemini-3-pro-preview",
    ...more,
  };
}

const tokens = (input: number): object => {
  return { input, output: 20, cached: 600, thoughts: 30, tool: 0, total: input + 50 };
};

interface CallSpec {
  args?: object;
  output?: string;
  error?: string;
  status?: string;
  seconds?: number;
  [more: string]: unknown;
}

export const call = (id: string, name: string, more: CallSpec): object => {
  const { args = {}, output, error, status = "success", seconds = 0, ...rest } = more;
  const response = error === undefined ? { output } : { error };
  return {
    id,
    name,
    args,
    result: [{ functionResponse: { id, name, response } }],
    status,
    timestamp: at(seconds),
    ...rest,
  };
};
