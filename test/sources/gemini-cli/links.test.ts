import { expect, test } from "vitest";
import { geminiCli } from "../../../src/sources/gemini-cli/index.ts";
import { readHome } from "../../samples/read-home.ts";
import { madeHome } from "../made-home.ts";

const PARENT = "d31c4fbc-cf2c-44e2-9d9a-e1df23c803a1";
const CHATS = ".gemini/tmp/ledger/chats";
const at = (second: number): string => `2026-05-04T10:00:0${second}.000Z`;

function documentOf(sessionId: string, kind: string, messages: object[]): object {
  const [first] = messages as { timestamp: string }[];
  return { sessionId, projectHash: "p", startTime: first?.timestamp, kind, messages };
}

function said(id: string, second: number, text: string): object {
  return { id, timestamp: at(second), type: "user", content: [{ text }] };
}

function asked(second: number, objective: string): object {
  const id = `codebase_investigator_${Date.parse(at(second))}_0`;
  const call = { id, name: "codebase_investigator", args: { objective }, status: "success" };
  const toolCalls = [{ ...call, timestamp: at(second + 2) }];
  return { id: `g${second}`, timestamp: at(second), type: "gemini", content: "", toolCalls };
}

test("a subagent of 0.38 is linked to the call that ran when it began, by its task", () => {
  const task = "Find out what the ledger does";
  const messages = [
    said("u1", 0, "Ask."),
    asked(1, task),
    asked(4, task),
    asked(7, "Anything else"),
  ];
  const agents = [
    ["later1", 5, task],
    ["early1", 2, task],
    ["other1", 8, task],
  ] as const;
  const files = agents.map(([id, second, text]) => {
    const own = documentOf(id, "subagent", [said(`${id}-u`, second, `Solve:\n${text}\n`)]);
    return [`${CHATS}/${PARENT}/${id}.json`, own];
  });
  const home = madeHome({
    [`${CHATS}/session-2026-05-04T10-00-d31c4fbc.json`]: documentOf(PARENT, "main", messages),
    ...Object.fromEntries(files),
  });
  const root = { path: `${home}/.gemini`, because: "a test", isFound: true };
  const { sessions } = readHome(geminiCli, root, "full");
  const parent = sessions.find(({ id }) => id === PARENT);
  const calls = parent?.messages.flatMap(({ toolCalls }) => toolCalls) ?? [];
  expect(calls.map(({ agentId }) => agentId)).toEqual(["early1", "later1", undefined]);
});
