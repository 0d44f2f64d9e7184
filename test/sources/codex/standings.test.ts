import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/core/session/session.ts";
import type { RolloutInGroup } from "../../../src/sources/codex/interpret/strands.ts";
import { stepsOf } from "../../../src/sources/codex/interpret/timeline.ts";
import type { Line } from "./made-home.ts";
import { counter, event, homeOf, LATER, meta, said, sessionOf } from "./made-home.ts";
import { sessionsOf, talkOf, THREAD, turn } from "./made-home.ts";

const ONE: Line[] = [meta(THREAD), ...turn(1, THREAD, { said: "One.", total: 10 })];
const TWO: Line[] = [...ONE, ...turn(2, THREAD, { said: "Two.", total: 20 })];
const THREE: Line[] = [...TWO, ...turn(3, THREAD, { said: "Three.", total: 30 })];

function standings({ replies }: Session): string[] {
  return replies.map(({ counts, standing }) => `${counts.total} ${standing}`);
}

test("a thread with very many records is replayed", () => {
  const place = { file: "rollout", line: 1, start: 0, end: 0 };
  const entries = Array.from({ length: 200_000 }, () => ({ kind: "state", place }));
  const strand = { stem: "a", rollout: { entries }, ownLine: 0 } as unknown as RolloutInGroup;
  expect(stepsOf([strand])).toHaveLength(200_000);
});

describe("going back", () => {
  const back = [...THREE, event("thread_rolled_back", { num_turns: 2 })];
  const again = [...back, ...turn(4, THREAD, { said: "Better.", total: 40 })];

  test("a rollback rewinds the last turns with a prompt, and they stay paid", () => {
    const session = sessionOf(again);
    expect(talkOf(session)).toEqual([
      "live user: Prompt 1.",
      "live model: One.",
      "rewound user: Prompt 2.",
      "rewound model: Two.",
      "rewound user: Prompt 3.",
      "rewound model: Three.",
      "live user: Prompt 4.",
      "live model: Better.",
    ]);
    expect(standings(session)).toEqual(["10 live", "10 rewound", "10 rewound", "10 live"]);
    expect(sessionOf(again, "usage").replies.map(({ standing }) => standing)).toEqual(
      session.replies.map(({ standing }) => standing),
    );
  });

  test("a second rollback counts the remaining turns", () => {
    const session = sessionOf([...again, event("thread_rolled_back", { num_turns: 2 })]);
    expect(talkOf(session).filter((line) => line.startsWith("live"))).toEqual([]);
  });

  test("a rollback of too many turns rewinds all, and one of none rewinds nothing", () => {
    const all = sessionOf([...TWO, event("thread_rolled_back", { num_turns: 9 })]);
    expect(standings(all)).toEqual(["10 rewound", "10 rewound"]);
    const none = sessionOf([...TWO, event("thread_rolled_back", { num_turns: 0 })]);
    expect(standings(none)).toEqual(["10 live", "10 live"]);
  });

  test("a new rollout of the thread continues from a line of the old one", () => {
    const start = 1 + 8;
    const root = homeOf({
      [THREAD]: { lines: THREE, ordinals: 0 },
      [`${THREAD}_${LATER}`]: {
        lines: [
          meta(THREAD, { history_base: { thread_id: THREAD, end_ordinal_exclusive: start } }),
          ...turn(4, THREAD, { said: "Better.", total: 20 }),
        ],
        ordinals: start,
      },
    });
    const sessions = sessionsOf(root);
    expect(sessions.map(({ id, files }) => [id, files.map(({ part }) => part)])).toEqual([
      [THREAD, ["whole", "continuation"]],
    ]);
    expect(sessions.flatMap(talkOf)).toEqual([
      "live user: Prompt 1.",
      "live model: One.",
      "rewound user: Prompt 2.",
      "rewound model: Two.",
      "rewound user: Prompt 3.",
      "rewound model: Three.",
      "live user: Prompt 4.",
      "live model: Better.",
    ]);
    expect(sessions.flatMap(standings)).toEqual(["10 live", "10 rewound", "10 rewound", "10 live"]);
  });
});

test("0.34 says only that it compacted; no model said so", () => {
  const talk = (lines: Line[]): string[] => {
    return talkOf(sessionOf([meta(THREAD, { cli_version: "0.34.0" }), ...lines]));
  };
  const done = event("agent_message", { message: "Compact task completed" });
  expect(talk([said("assistant", "Fine."), done])).toEqual([
    "live model: Fine.",
    "live notice: Compact task completed",
  ]);
  expect(talk([done, said("assistant", "Compact task completed")])).toEqual([
    "live model: Compact task completed",
  ]);
});

describe("compaction", () => {
  const summary = { message: "SUMMARY", replacement_history: [said("user", "Prompt 1.").payload] };

  test("keeps what the written history repeats, and rewrites everything else before it", () => {
    const compacted: Line = { type: "compacted", payload: summary };
    const session = sessionOf([...TWO, compacted, ...turn(3, THREAD, { said: "On.", total: 30 })]);
    expect(talkOf(session)).toEqual([
      "live user: Prompt 1.",
      "rewritten model: One.",
      "rewritten user: Prompt 2.",
      "rewritten model: Two.",
      "live user: SUMMARY",
      "live user: Prompt 3.",
      "live model: On.",
    ]);
    expect(standings(session)).toEqual(["10 rewritten", "10 rewritten", "10 live"]);
    expect(session.compressions).toHaveLength(1);
  });

  test("without a written history keeps the prompts live", () => {
    const compacted: Line = { type: "compacted", payload: { message: "SUMMARY" } };
    expect(talkOf(sessionOf([...TWO, compacted]))).toEqual([
      "live user: Prompt 1.",
      "rewritten model: One.",
      "live user: Prompt 2.",
      "rewritten model: Two.",
      "live user: SUMMARY",
    ]);
  });

  test("without a written history keeps the start of the conversation once", () => {
    const start = said("user", "<environment_context>\n</environment_context>");
    const compacted: Line = { type: "compacted", payload: { message: "SUMMARY" } };
    const [header, ...rest] = ONE as [Line, ...Line[]];
    const talk = talkOf(sessionOf([header, start, ...rest, start, compacted]));
    expect(talk.map((line) => line.replace(/\s+.*/s, ""))).toEqual([
      "live",
      "live",
      "rewritten",
      "rewritten",
      "live",
    ]);
  });

  test.each([
    ["up to 0.58 keeps the summary before it", "SUMMARY", "live"],
    ["later replaces it", "Another language model started. SUMMARY", "rewritten"],
  ])("without a written history %s", (_what, message, standing) => {
    const compacted: Line = { type: "compacted", payload: { message } };
    const again: Line = { type: "compacted", payload: { message: "SECOND" } };
    const summaries = talkOf(sessionOf([...ONE, compacted, again])).slice(2);
    expect(summaries).toEqual([`${standing} user: ${message}`, "live user: SECOND"]);
  });

  test("counts just before a summary belong to it, even if repeated", () => {
    const compacted: Line = { type: "compacted", payload: { message: "SUMMARY" } };
    const { replies } = sessionOf([
      ...ONE,
      said("user", "x"),
      counter(25, 15),
      counter(25, 3),
      compacted,
    ]);
    expect(replies.map(({ counts, purpose }) => [counts.total, purpose])).toEqual([
      [10, undefined],
      [15, "compression"],
    ]);
  });
});

describe("a rollback after a compaction counts the turns in the history that it wrote", () => {
  const history = (...texts: string[]): Line => {
    const replacement_history = texts.map((text) => said("user", text).payload);
    const message = texts.at(-1)?.startsWith("SUMMARY") === true ? (texts.at(-1) ?? "") : "";
    return { type: "compacted", payload: { message, replacement_history } };
  };
  const back = (turns: number): Line => event("thread_rolled_back", { num_turns: turns });
  const four = turn(4, THREAD, { said: "Four.", total: 40 });
  const five = turn(5, THREAD, { said: "Five.", total: 50 });

  /** The live prompts and summaries. */
  function liveIn(cli_version: string, lines: Line[]): string[] {
    const session = sessionOf([meta(THREAD, { cli_version }), ...lines.slice(1)]);
    const ofUser = talkOf(session).filter((line) => line.startsWith("live user: "));
    return ofUser.map((line) => line.slice("live user: ".length));
  }

  test.each([
    // Up to 0.111 the messages before the undone ones stay.
    ["0.111.0", ["Prompt 2.", "Prompt 5."]],
    // Later the history is lost with the compaction.
    ["0.113.0", ["Prompt 5."]],
  ])("%s", (version, live) => {
    const compacted = history("Prompt 2.", "Prompt 3.");
    expect(liveIn(version, [...THREE, compacted, ...four, back(2), ...five])).toEqual(live);
  });

  test("from 0.113 on a second compaction is replayed on the first", () => {
    const lines = [...THREE, history("Prompt 3."), ...four, history("Prompt 3.", "Prompt 4.")];
    expect(liveIn("0.113.0", [...lines, back(1), ...five])).toEqual(["Prompt 3.", "Prompt 5."]);
  });

  test("a readable summary counts, too", () => {
    const lines = [...TWO, history("Prompt 1.", "Prompt 2.", "SUMMARY")];
    expect(liveIn("0.107.0", [...lines, back(1)])).toEqual(["Prompt 1.", "Prompt 2."]);
    expect(liveIn("0.107.0", [...lines, back(2)])).toEqual(["Prompt 1."]);
    const bare: Line = { type: "compacted", payload: { message: "SUMMARY" } };
    expect(liveIn("0.97.0", [...TWO, bare, back(1)])).toEqual(["Prompt 1.", "Prompt 2."]);
  });

  test("what was taken back before a compaction is not what its history repeats", () => {
    const again = turn(2, THREAD, { said: "Again.", total: 30 });
    const lines = [...TWO, back(1), ...again, history("Prompt 1.", "Prompt 2.")];
    expect(talkOf(sessionOf(lines)).slice(0, 5)).toEqual([
      "live user: Prompt 1.",
      "rewritten model: One.",
      "rewound user: Prompt 2.",
      "rewound model: Two.",
      "live user: Prompt 2.",
    ]);
  });

  test("the context of an undone turn stays up to 0.111", () => {
    const context = said("developer", "<model_switch>");
    const [start, ...rest] = turn(2, THREAD, { said: "Two.", total: 20 }) as [Line, ...Line[]];
    const lines = [...ONE, start, context, ...rest, back(1)];
    expect(liveIn("0.111.0", lines)).toEqual(["Prompt 1.", "<model_switch>"]);
    expect(liveIn("0.113.0", lines)).toEqual(["Prompt 1."]);
  });
});
