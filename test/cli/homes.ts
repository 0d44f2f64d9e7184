import { lines, makeRoot } from "./run.ts";

export const LEDGER_ID = "aaaaaaaa-1111-4111-8111-111111111111";
export const BAKERY_ID = "aaaaaaaa-2222-4222-8222-222222222222";
export const AGENT_ID = "bbbbbbbb-3333-4333-8333-333333333333";

const tokens = { input: 1200, cached: 200, output: 30, thoughts: 4, tool: 0, total: 1234 };

function header(sessionId: string, at: string, kind = "main"): object {
  return { sessionId, projectHash: "h", startTime: at, lastUpdated: at, kind };
}

const ledger = lines(
  header(LEDGER_ID, "2026-11-14T09:00:00.000Z"),
  {
    id: "u1",
    timestamp: "2026-11-14T09:00:01.000Z",
    type: "user",
    content: [
      { text: "Explain @notes.md\n" },
      { text: "\n--- Content from referenced files ---" },
      { text: "\nContent from @notes.md:\n" },
      { text: "First note.\nSecond note." },
      { text: "\n--- End of content ---" },
    ],
  },
  {
    id: "m1",
    timestamp: "2026-11-14T09:00:02.000Z",
    type: "gemini",
    content: "Let me look.",
    model: "gemini-2.5-pro",
    tokens,
    thoughts: [
      {
        subject: "Planning",
        description: "Read, then answer.",
        timestamp: "2026-11-14T09:00:02.000Z",
      },
    ],
    toolCalls: [
      {
        id: "c1",
        name: "read_file",
        args: { file_path: "/home/ada/ledger/src/ledger.js" },
        status: "success",
        timestamp: "2026-11-14T09:00:03.000Z",
        result: [
          { functionResponse: { id: "c1", name: "read_file", response: { output: "export {};" } } },
        ],
      },
      {
        id: "c2",
        name: "run_shell_command",
        args: { command: "npm test" },
        status: "error",
        timestamp: "2026-11-14T09:00:04.000Z",
        result: [
          {
            functionResponse: {
              id: "c2",
              name: "run_shell_command",
              response: { error: "Exit code 1" },
            },
          },
        ],
      },
      {
        id: "c3",
        name: "codebase_investigator",
        args: { objective: "Find the cause" },
        status: "success",
        agentId: AGENT_ID,
        timestamp: "2026-11-14T09:00:05.000Z",
        result: [
          {
            functionResponse: {
              id: "c3",
              name: "codebase_investigator",
              response: { output: "Found." },
            },
          },
        ],
      },
    ],
  },
  {
    id: "m2",
    timestamp: "2026-11-14T09:00:06.000Z",
    type: "gemini",
    content: "The notes say 42.",
    model: "gemini-2.5-pro",
    tokens,
  },
  {
    id: "n1",
    timestamp: "2026-11-14T09:00:07.000Z",
    type: "info",
    content: "Model set to another",
  },
  {
    id: "u2",
    timestamp: "2026-11-14T09:00:08.000Z",
    type: "user",
    content: [{ text: "A question to be taken back" }],
  },
  {
    id: "m3",
    timestamp: "2026-11-14T09:00:09.000Z",
    type: "gemini",
    content: "An answer to be taken back.",
    model: "gemini-2.5-pro",
    tokens,
  },
  { $rewindTo: "u2" },
  {
    id: "u3",
    timestamp: "2026-11-14T09:00:10.000Z",
    type: "user",
    content: [{ text: "The better question" }],
  },
  {
    id: "m4",
    timestamp: "2026-11-14T09:00:11.000Z",
    type: "gemini",
    content: "The better answer.",
    model: "gemini-2.5-flash",
    tokens,
  },
);

const agent = lines(
  header(AGENT_ID, "2026-11-14T09:00:04.000Z", "subagent"),
  {
    id: "a1",
    timestamp: "2026-11-14T09:00:04.100Z",
    type: "user",
    content: [{ text: "Find the cause" }],
  },
  {
    id: "a2",
    timestamp: "2026-11-14T09:00:04.500Z",
    type: "gemini",
    content: "Found it.",
    model: "gemini-2.5-pro",
    tokens,
  },
);

const bakery = lines(header(BAKERY_ID, "2026-11-15T08:00:00.000Z"), {
  id: "b1",
  timestamp: "2026-11-15T08:00:01.000Z",
  type: "user",
  content: [{ text: "Count the loaves of bread" }],
});

/** Two projects, a subagent, a rewind, a failed call, a saved chat, a prompt log, a torn line. */
export function smallHome(): string {
  return makeRoot({
    "tmp/ledger/.project_root": "/home/ada/ledger",
    [`tmp/ledger/chats/session-2026-11-14T09-00-aaaaaaaa.jsonl`]: ledger,
    [`tmp/ledger/chats/${LEDGER_ID}/${AGENT_ID}.jsonl`]: agent,
    "tmp/bakery/.project_root": "/home/ada/bakery",
    [`tmp/bakery/chats/session-2026-11-15T08-00-aaaaaaaa.jsonl`]: `${bakery}{"id":"b2","timest`,
    "tmp/bakery/checkpoint-before.json": JSON.stringify([
      { role: "user", parts: [{ text: "A saved question" }] },
      { role: "model", parts: [{ text: "A saved answer" }] },
    ]),
    "tmp/bakery/logs.json": JSON.stringify([
      {
        sessionId: "cccccccc-4444-4444-8444-444444444444",
        messageId: 0,
        type: "user",
        message: "A lost question",
        timestamp: "2026-01-02T03:04:05.000Z",
      },
    ]),
  });
}
