import type { Run } from "./run.ts";
import { lines, makeRoot, run } from "./run.ts";

interface Ledger {
  id: string;
  at: string;
  model?: string;
  input?: number;
  text?: string;
  toolCalls?: object[];
}

function reply({
  id,
  at,
  model = "gemini-2.5-pro",
  input = 120_000,
  text = "ok",
  toolCalls,
}: Ledger) {
  const tokens = { input, cached: 20_000, output: 300, thoughts: 45, tool: 0, total: input + 345 };
  return { id, timestamp: at, type: "gemini", content: text, model, tokens, toolCalls };
}

const shell = {
  id: "c1",
  name: "run_shell_command",
  args: { command: "npm test | tail -3" },
  status: "success",
  timestamp: "2026-11-13T10:00:09.500Z",
  result: [{ functionResponse: { id: "c1", name: "run_shell_command", response: { output: "" } } }],
};

function header(sessionId: string, at: string): object {
  return { sessionId, projectHash: "h", startTime: at, lastUpdated: at, kind: "main" };
}

const user = (id: string, at: string, text: string): object => {
  return { id, timestamp: at, type: "user", content: [{ text }] };
};

export const root: string = makeRoot({
  "tmp/ledger/.project_root": "/home/ada/ledger",
  "tmp/ledger/chats/session-2026-11-13T10-00-aaaaaaaa.jsonl": lines(
    header("aaaaaaaa-1", "2026-11-13T10:00:00Z"),
    user("u1", "2026-11-13T10:00:01Z", "=SUM(A1) run the tests"),
    reply({ id: "g1", at: "2026-11-13T10:00:05Z", toolCalls: [shell] }),
    reply({ id: "g2", at: "2026-11-13T10:00:15Z", model: "gemini-2.5-flash", input: 121_000 }),
    user("u2", "2026-11-14T09:00:00Z", "and now \u001b[31mred\u001b[0m"),
    reply({ id: "g3", at: "2026-11-14T09:00:05Z", model: "my-model", input: 1200_000 }),
    { $rewindTo: "u2" },
  ),
  "tmp/bakery/.project_root": "/home/ada/bakery",
  "tmp/bakery/chats/session-2026-01-02T10-00-bbbbbbbb.jsonl": lines(
    header("bbbbbbbb-2", "2026-01-02T10:00:00Z"),
    user("u3", "2026-01-02T10:00:01Z", "@cmd bake, please"),
    reply({ id: "g4", at: "2026-01-02T10:00:05Z", input: 250_000 }),
  ),
});

/** Runs a command on that home in UTC. */
export function pollux(...args: string[]): Promise<Run> {
  return run([...args, "--root", root, "--timezone", "UTC"]);
}
