import { describe, expect, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { NOW_MS, TestHome } from "./desk.ts";

function keptSteps(home: TestHome, name: string, steps: readonly unknown[]): Library {
  for (const [step, value] of steps.entries()) {
    home.write(name, JSON.stringify(value));
    home.library({ clock: () => NOW_MS + step * 60_000 }).archive.keep();
  }
  return home.library();
}

function chat(...said: string[]): object {
  return { history: said.map((text) => ({ role: "user", parts: [{ text }] })) };
}

function typed(sessionId: string, ...messages: string[]): object[] {
  return messages.map((message, messageId) => ({ sessionId, messageId, type: "user", message }));
}

describe("a chat that was saved again under its name", () => {
  const tags = (library: Library): [tag: string, messages: number][] => {
    return library.sessions().savedChats.map(({ tag, messages }) => [tag, messages]);
  };

  test("and went on is one chat", () => {
    const steps = [chat("a"), chat("a", "b"), chat("a", "b", "c")];
    expect(tags(keptSteps(new TestHome(), "checkpoint-x.json", steps))).toEqual([["x", 3]]);
  });

  test("and is another one does not take the first away", () => {
    const library = keptSteps(new TestHome(), "checkpoint-x.json", [
      chat("a"),
      chat("a", "b"),
      chat("other"),
    ]);
    const before = tags(library);
    expect(new Set(before.map(String))).toEqual(new Set(["x,1", "x,2"]));
    library.archive.rebuild();
    expect(tags(library)).toEqual(before);
  });
});

describe("a log of prompts", () => {
  const prompts = (library: Library): Record<string, number> => {
    const logs = library.sessions().promptLogs;
    return Object.fromEntries(logs.map(({ sessionId, prompts: all }) => [sessionId, all.length]));
  };

  test("that begins anew has lost nothing", () => {
    const library = keptSteps(new TestHome(), "logs.json", [
      typed("one-1", "first"),
      typed("one-1", "first", "second"),
      typed("two-2", "third"),
    ]);
    expect(prompts(library)).toEqual({ "one-1": 2, "two-2": 1 });
    library.archive.rebuild();
    expect(prompts(library)).toEqual({ "one-1": 2, "two-2": 1 });
  });

  test("that others share does not tell of a session that was forgotten", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    const log = [...typed("aaaaaaaa-1", "secret"), ...typed("two-2", "other")];
    const library = keptSteps(home, "logs.json", [log]);
    library.archive.care.forget(["aaaaaaaa-1"]);
    expect(prompts(library)).toEqual({ "two-2": 1 });
  });

  test("of a forgotten session alone comes in again when another one writes to it", () => {
    const home = new TestHome();
    home.session("aaaaaaaa-1");
    const library = keptSteps(home, "logs.json", [typed("aaaaaaaa-1", "secret")]);
    const plan = library.archive.care.forget(["aaaaaaaa-1"]);
    expect(plan.files.map(({ role }) => role).toSorted()).toEqual(["main", "prompt-log"]);
    expect(home.library().archive.keep()).toMatchObject([{ opened: 0 }]);
    const log = [...typed("aaaaaaaa-1", "secret"), ...typed("two-2", "other")];
    expect(prompts(keptSteps(home, "logs.json", [log]))).toEqual({ "two-2": 1 });
  });
});
