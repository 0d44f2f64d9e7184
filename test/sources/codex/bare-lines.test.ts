import { expect, test } from "vitest";
import { homeOf, item, said, sessionsOf, THREAD, writeFile } from "./made-home.ts";

const STATE = { record_type: "state" };
const CONTEXT = said("user", "<environment_context>x").payload;
const ONE = [said("user", "One."), said("assistant", "First.")].map(({ payload }) => payload);
const RAN = { type: "function_call", name: "shell", arguments: "{}", call_id: "c1" };

/** Text of each message of a rollout as written by 0.29, and whether it is inherited. */
function messagesIn(items: readonly unknown[]): [string, boolean][] {
  const lines = [{ id: THREAD, timestamp: "2026-11-15T20:00:00.000Z" }, STATE, ...items];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const path = `sessions/2026/11/15/rollout-2026-11-15T20-00-00-${THREAD}.jsonl`;
  const [session] = sessionsOf(writeFile(homeOf({}), path, text));
  return (session?.messages ?? []).map(({ text: words, isInherited }) => [
    words,
    isInherited === true,
  ]);
}

test("a resumed session is a new file, which begins with the items so far", () => {
  const [asked, answered] = [said("user", "Two.").payload, said("assistant", "Second.").payload];
  expect(messagesIn([CONTEXT, ...ONE, STATE, asked, STATE, answered])).toEqual([
    ["<environment_context>x", true],
    ["One.", true],
    ["First.", true],
    ["Two.", false],
    ["Second.", false],
  ]);
});

test("a prompt that a state follows was typed", () => {
  const [asked, answered] = ONE;
  const rest = [item(RAN).payload, STATE, answered];
  const own = messagesIn([CONTEXT, STATE, asked, STATE, ...rest]);
  expect(own.map(([, isInherited]) => isInherited)).toEqual(own.map(() => false));
  // The very first version wrote no states among items.
  expect(messagesIn(ONE).map(([, isInherited]) => isInherited)).toEqual([false, false]);
});
