import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { summarise } from "../../src/core/rows/summarise.ts";
import { readHome } from "../samples/read-home.ts";
import { sources } from "../../src/sources/index.ts";
import { sourceContract } from "../contracts/source.ts";
import { tinyAgent } from "../samples/tiny-agent.ts";

const home = join(import.meta.dirname, "../fixtures/tiny-agent");
const environment = {
  env: {},
  tempDir: "/nowhere",
  platform: "linux",
  requestedRoots: [],
} as const;

describe("a new agent in one file", () => {
  test("has sessions as soon as it is a source", () => {
    const [root] = tinyAgent.roots({ ...environment, homeDir: home });
    const { sessions, diagnostics } = root
      ? readHome(tinyAgent, root, "full")
      : { sessions: [], diagnostics: [] };
    const [first] = sessions.map((session) => summarise(session));
    expect(first).toMatchObject({
      id: "first",
      source: "tiny-agent",
      title: "What is the total?",
      prompts: 2,
      status: "interrupted",
      tokens: { input: 12, output: 3, total: 15 },
    });
    expect(diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual(["torn-line 1"]);
  });

  test("is not claimed by other sources", () => {
    const requestedRoots = [join(home, ".tiny")];
    const claimed = sources.flatMap((source) => {
      return source.roots({ ...environment, homeDir: home, requestedRoots });
    });
    expect(claimed).toEqual([]);
  });
});

sourceContract(tinyAgent, [{ name: "its home", roots: [join(home, ".tiny")] }]);
