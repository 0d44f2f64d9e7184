import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Line } from "./made-home.ts";
import { counter, event, homeOf, LATER, meta, said } from "./made-home.ts";
import { sessionsOf, THREAD, turn } from "./made-home.ts";

const ONE: Line[] = [meta(THREAD), ...turn(1, THREAD, { said: "One.", total: 10 })];
const DAY = "sessions/2026/11/15";
const TWO: Line[] = [...ONE, ...turn(2, THREAD, { said: "Two.", total: 20 })];

describe("forks", () => {
  test("that name their base have only their own lines and inherit the rest", () => {
    const root = homeOf({
      [THREAD]: { lines: TWO, ordinals: 0 },
      [LATER]: {
        lines: [
          meta(LATER, {
            forked_from_id: THREAD,
            history_base: { thread_id: THREAD, end_ordinal_exclusive: 9 },
          }),
          ...turn(5, LATER, { said: "Aside.", total: 20 }),
        ],
        ordinals: 9,
      },
    });
    const fork = sessionsOf(root).find(({ id }) => id === LATER);
    expect(fork?.origins).toEqual([{ sessionId: THREAD, how: "fork" }]);
    expect(fork?.messages.map(({ text, isInherited }) => [text, isInherited === true])).toEqual([
      ["Prompt 1.", true],
      ["One.", true],
      ["Prompt 5.", false],
      ["Aside.", false],
    ]);
    expect(fork?.replies.map(({ counts }) => counts.total)).toEqual([10]);
  });

  test("of forks count from where both left off", () => {
    const third = "01a1e300-0000-7000-8000-00000000000c";
    const forked = (from: string, end: number): object => {
      return {
        forked_from_id: from,
        history_base: { thread_id: from, end_ordinal_exclusive: end },
      };
    };
    const root = homeOf({
      [THREAD]: { lines: ONE, ordinals: 0 },
      [LATER]: { lines: [meta(LATER, forked(THREAD, 9))], ordinals: 9 },
      [third]: {
        lines: [meta(third, forked(LATER, 10)), ...turn(6, third, { said: "Third.", total: 25 })],
        ordinals: 10,
      },
    });
    const replies = sessionsOf(root).flatMap((session) => session.replies);
    expect(replies.map(({ counts }) => counts.total)).toEqual([10, 15]);
  });

  test("with copied lines have no replies for them, with or without the original thread", () => {
    const copy = [
      meta(LATER, { forked_from_id: THREAD }),
      ...TWO,
      ...turn(7, LATER, { said: "Aside.", total: 30 }),
    ];
    const both = homeOf({ [THREAD]: { lines: TWO }, [LATER]: { lines: copy } });
    const alone = homeOf({ [LATER]: { lines: copy } });
    for (const root of [both, alone]) {
      const fork = sessionsOf(root).find(({ id }) => id === LATER);
      expect(fork?.replies.map(({ counts }) => counts.total)).toEqual([10]);
      expect(sessionsOf(root, "usage").find(({ id }) => id === LATER)?.replies).toEqual(
        fork?.replies,
      );
    }
  });

  test.each(["full", "outline", "usage"] as const)(
    "of agents may be the last turns of the parent alone: %s",
    (depth) => {
      const spawned = { thread_spawn: { parent_thread_id: THREAD, depth: 1 } };
      const header = meta(LATER, { cli_version: "0.130.0", source: { subagent: spawned } });
      // Contexts are not copied, and the start of a turn comes before its prompt.
      const copied = turn(2, THREAD, { said: "Two.", total: 20 }).slice(2);
      const own = turn(7, LATER, { said: "Aside.", total: 30 });
      const root = homeOf({
        [THREAD]: { lines: TWO },
        [LATER]: { lines: [header, ...copied, ...own] },
      });
      const paid = sessionsOf(root, depth).map(({ id, replies }) => {
        return [id, replies.map(({ counts }) => counts.total)];
      });
      expect(Object.fromEntries(paid)).toEqual({ [THREAD]: [10, 10], [LATER]: [10] });
    },
  );

  test("count their first response although the last copied total is missing", () => {
    const copied = TWO.filter(({ payload }) => {
      return !JSON.stringify(payload).includes('"total_token_usage":{"input_tokens":20,');
    });
    expect(copied).toHaveLength(TWO.length - 1);
    const own = turn(7, LATER, { said: "Aside.", total: 30 });
    const lines = [meta(LATER, { forked_from_id: THREAD }), ...copied, ...own];
    const fork = sessionsOf(homeOf({ [LATER]: { lines } }))[0];
    expect(fork?.replies.map(({ counts }) => counts.total)).toEqual([10]);
  });

  test("with a damaged header have the id of their file's name", () => {
    const header: Line = { type: "damaged", payload: {} };
    const own = turn(7, LATER, { said: "Aside.", total: 30 });
    const lines = [header, ...TWO, ...own];
    const root = homeOf({ [THREAD]: { lines: TWO }, [LATER]: { lines } });
    for (const depth of ["full", "usage"] as const) {
      const found = sessionsOf(root, depth).map(({ id, replies }) => [
        id,
        replies.map(({ counts }) => counts.total),
      ]);
      expect(found).toEqual([
        [THREAD, [10, 10]],
        [LATER, [10]],
      ]);
    }
  });

  test("that were migrated have no header of the other thread, but the ids of its turns", () => {
    const lines = [
      meta(LATER, { forked_from_id: THREAD, cli_version: "0.110.0" }),
      ...TWO.slice(1),
      ...turn(7, LATER, { said: "Aside.", total: 30 }),
    ];
    const root = homeOf({ [LATER]: { lines, ordinals: 0 } });
    const [fork] = sessionsOf(root);
    const own = fork?.messages.filter(({ isInherited }) => isInherited !== true);
    expect(own?.map(({ text }) => text)).toEqual(["Prompt 7.", "Aside."]);
    expect(fork?.replies.map(({ counts }) => counts.total)).toEqual([10]);
    expect(sessionsOf(root, "usage")[0]?.replies).toEqual(fork?.replies);
  });

  test("of 0.34 begin with the items of the other thread", () => {
    const [session] = sessionsOf(
      homeOf({
        [LATER]: {
          lines: [
            meta(LATER, { cli_version: "0.34.0" }),
            said("user", "Before."),
            said("assistant", "Answer before."),
            said("user", "Now."),
            event("user_message", { message: "Now." }),
            event("agent_message", { message: "Answer." }),
            counter(10, 10),
            said("assistant", "Answer."),
          ],
        },
      }),
    );
    expect(session?.messages.map(({ text, isInherited }) => [text, isInherited === true])).toEqual([
      ["Before.", true],
      ["Answer before.", true],
      ["Now.", false],
      ["Answer.", false],
    ]);
    expect(session?.replies).toHaveLength(1);
  });
});

describe("forks of versions without turn ids", () => {
  /** A turn as written by 0.58. */
  const old = (prompt: string, [total, last]: [number, number], at: string): Line[] =>
    [
      said("user", prompt),
      event("user_message", { message: prompt }),
      { type: "turn_context", payload: { model: "gpt-5-codex" } },
      event("agent_message", { message: "Fine." }),
      counter(total, last),
      said("assistant", "Fine."),
    ].map((line) => ({ ...line, at }));
  const [start, copied, later] = ["20:00:00.000", "20:01:00.000", "20:02:00.000"].map(
    (time) => `2026-11-15T${time}Z`,
  ) as [string, string, string];
  const header = { cli_version: "0.58.0" };
  const parent = [
    meta(THREAD, header),
    ...old("One.", [10, 10], start),
    ...old("Two.", [20, 10], start),
  ];
  const fork = [
    { ...meta(LATER, header), at: copied },
    { ...meta(THREAD, header), at: copied },
    ...old("One.", [10, 10], copied),
    ...old("Instead.", [12, 12], later),
    ...turn(7, LATER, { said: "Newer.", total: 22 }).map((line) => ({ ...line, at: later })),
  ];

  test("that were migrated are recognised by several prompts at once", () => {
    const numbered = (lines: Line[], number: number): Line[] => {
      const at = lines[0]?.at ?? later;
      return [{ ...event("task_started", { turn_id: `rollout-${number}` }), at }, ...lines];
    };
    const lines = [
      { ...meta(LATER, header), at: copied },
      ...numbered(old("One.", [10, 10], copied), 2),
      ...numbered(old("Two.", [20, 10], copied), 8),
      ...numbered(old("Instead.", [12, 12], later), 14),
    ];
    const root = homeOf({ [LATER]: { lines, ordinals: 0 } });
    const [session] = sessionsOf(root);
    const own = session?.messages.filter(({ isInherited }) => isInherited !== true);
    expect(own?.map(({ text }) => text)).toEqual(["Instead.", "Fine."]);
    expect(session?.replies.map(({ counts }) => counts.total)).toEqual([12]);
    expect(sessionsOf(root, "usage")[0]?.replies).toEqual(session?.replies);
  });

  test.each<[string, (lines: Line[]) => Line[]]>([
    ["a line is missing", (lines) => lines.toSpliced(4, 1)],
    ["a line is there twice", (lines) => lines.toSpliced(4, 0, ...lines.slice(4, 5))],
    ["a line is damaged", (lines) => lines.with(4, { type: "damaged", payload: {} })],
    ["the header is missing", (lines) => lines.slice(1)],
    ["the last copied line is missing", (lines) => lines.toSpliced(6, 1)],
  ])("are recognised although in the other thread %s", (_, damage) => {
    const root = homeOf({ [THREAD]: { lines: damage(parent) }, [LATER]: { lines: fork } });
    const session = sessionsOf(root).find(({ id }) => id === LATER);
    expect(session?.replies.map(({ counts }) => counts.total)).toEqual([12, 10]);
  });

  test("with a damaged header of the other thread are recognised by answers that come at once", () => {
    const damaged = (lines: Line[]): string => {
      const root = homeOf({ [LATER]: { lines } });
      const [file = ""] = readdirSync(join(root, DAY)).map((name) => join(root, DAY, name));
      const rows = readFileSync(file, "utf8").split("\n");
      writeFileSync(file, rows.with(1, `${rows[1]?.slice(0, 60)}`).join("\n"));
      return root;
    };
    const totalsIn = (root: string, depth: "full" | "usage"): unknown => {
      return sessionsOf(root, depth)[0]?.replies.map(({ counts }) => counts.total);
    };
    const slow = fork.map((line) => {
      const isCounter = JSON.stringify(line.payload).includes('"token_count"');
      return line.at === copied && isCounter ? { ...line, at: "2026-11-15T20:01:00.100Z" } : line;
    });
    for (const depth of ["full", "usage"] as const) {
      expect(totalsIn(damaged(fork), depth)).toEqual([12, 10]);
      expect(totalsIn(damaged(slow), depth)).toEqual([10, 12, 10]);
    }
  });

  test("of forks have the headers of both", () => {
    const third = "01a1e300-0000-7000-8000-00000000000c";
    const copies = fork.slice(0, 14).map((line) => ({ ...line, at: later }));
    const end = "2026-11-15T20:03:00.000Z";
    const lines = [{ ...meta(third, header), at: later }, ...copies, ...old("3.", [22, 10], end)];
    const root = homeOf({
      [THREAD]: { lines: parent },
      [LATER]: { lines: fork.slice(0, 14) },
      [third]: { lines },
    });
    const session = sessionsOf(root).find(({ id }) => id === third);
    expect(session?.replies.map(({ counts }) => counts.total)).toEqual([10]);
    expect(session?.origins).toEqual([{ sessionId: LATER, how: "fork" }]);
  });

  test("have the prompt that was sent again, although the other thread goes on with it", () => {
    const again = [...fork.slice(0, 8), ...old("Two.", [22, 12], later)];
    const root = homeOf({ [THREAD]: { lines: parent }, [LATER]: { lines: again } });
    const session = sessionsOf(root).find(({ id }) => id === LATER);
    expect(session?.messages.map(({ text, isInherited }) => [text, isInherited === true])).toEqual([
      ["One.", true],
      ["Fine.", true],
      ["Two.", false],
      ["Fine.", false],
    ]);
    expect(session?.replies).toHaveLength(1);
  });

  test.each([
    ["with the other thread", { [THREAD]: { lines: parent }, [LATER]: { lines: fork } }],
    ["without it", { [LATER]: { lines: fork } }],
  ])("keep their own turns when a newer version resumes them, %s", (_, rollouts) => {
    const root = homeOf(rollouts);
    const session = sessionsOf(root).find(({ id }) => id === LATER);
    expect(session?.messages.map(({ text, isInherited }) => [text, isInherited === true])).toEqual([
      ["One.", true],
      ["Fine.", true],
      ["Instead.", false],
      ["Fine.", false],
      ["Prompt 7.", false],
      ["Newer.", false],
    ]);
    expect(session?.replies.map(({ counts }) => counts.total)).toEqual([12, 10]);
    expect(sessionsOf(root, "usage").find(({ id }) => id === LATER)?.replies).toEqual(
      session?.replies,
    );
  });
});
