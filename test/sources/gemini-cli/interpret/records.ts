/** Minimal records of a JSONL file. */
export function header(more: object = {}): object {
  return { sessionId: "S", projectHash: "H", startTime: time(0), lastUpdated: time(0), ...more };
}

export function time(minute: number): string {
  return new Date(Date.UTC(2026, 4, 4, 10, minute)).toISOString();
}

export const CONTEXT: { id: string; type: string; content: object[] } = {
  id: "d04923d38bb0f6017037e74183378ef4",
  type: "user",
  content: [{ text: "<session_context>x</session_context>" }],
};

export function user(id: string, text: string, more: object = {}): object {
  return { id, type: "user", content: [{ text }], ...more };
}

export function tokens(input: number, output = 5, cached = 0): object {
  return { input, output, cached, thoughts: 0, tool: 0, total: input + output };
}

export function reply(id: string, text: string, more: object = {}): object {
  return { id, type: "gemini", content: text, tokens: tokens(100), model: "m", ...more };
}

/** A message with a new id, as in a rewritten history. */
export function copy(id: string, type: "user" | "gemini", ...parts: object[]): object {
  return { id, type, content: parts };
}

export function call(id: string, more: object = {}): object {
  const result = [{ functionResponse: { id, name: "glob", response: { output: "out" } } }];
  return { id, name: "glob", args: {}, result, status: "success", ...more };
}

export function responsePart(id: string, output = "out"): object {
  return { functionResponse: { id, name: "glob", response: { output } } };
}

export function notice(id: string, text: string, type = "info"): object {
  return { id, type, content: text };
}

export function snapshot(...messages: object[]): object {
  return { $set: { messages } };
}

export function jsonl(...records: object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
