import { describe, expect, test } from "vitest";
import { answer, ID, mainFile, prompt, readFiles, textBlock } from "./read-files.ts";

type Line = Record<string, unknown>;

// Without a reason, the session with the later id is taken for the copy.
const ORIGINAL = "99999999-9999-4999-8999-999999999999";
const FORK = ID;
const FORK_OF_FORK = "00000000-0000-4000-8000-000000000000";

const at = (minute: number): { timestamp: string } => {
  return { timestamp: `2026-11-15T10:${String(minute).padStart(2, "0")}:00.000Z` };
};

/** A prompt and its answer; their uuids are `<number>p` and `<number>a`. */
function turn(number: number, after?: number): Line[] {
  const parentUuid = after === undefined ? null : `${after}a`;
  const uuid = { prompt: `${number}p`, answer: `${number}a` };
  return [
    prompt(`prompt ${number}`, { uuid: uuid.prompt, parentUuid, ...at(number) }),
    answer(`msg_${number}`, [textBlock(`answer ${number}`)], {
      uuid: uuid.answer,
      parentUuid: uuid.prompt,
      ...at(number),
    }),
  ];
}

const snapshot = (number: number): Line => ({
  type: "file-history-snapshot",
  messageId: `${number}p`,
});

function named(sessionId: string, lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, ...(line["uuid"] ? { sessionId } : {}) }));
}

function originsOf(files: Record<string, readonly Line[]>): Record<string, string[]> {
  const { sessions } = readFiles(
    Object.entries(files).map(([id, lines]) => mainFile(lines, `${id}.jsonl`)),
  );
  return Object.fromEntries(
    sessions.map(({ id, origins = [] }) => [id, origins.map(({ sessionId }) => sessionId)]),
  );
}

describe("the original of a fork", () => {
  test("has lines about its state between the shared records", () => {
    const original = [snapshot(1), ...turn(1), snapshot(2), ...turn(2, 1), snapshot(4)];
    const fork = [1, 2, 3].map(snapshot).concat(turn(1), turn(2, 1), turn(3, 2));
    const origins = originsOf({
      [ORIGINAL]: named(ORIGINAL, [...original, ...turn(4, 2)]),
      [FORK]: named(FORK, fork),
    });
    expect(origins).toEqual({ [ORIGINAL]: [], [FORK]: [ORIGINAL] });
  });

  test("has fewer lines before its only turn", () => {
    const origins = originsOf({
      [ORIGINAL]: named(ORIGINAL, [snapshot(1), ...turn(1)]),
      [FORK]: named(FORK, [snapshot(1), snapshot(2), ...turn(1), ...turn(2, 1)]),
    });
    expect(origins).toEqual({ [ORIGINAL]: [], [FORK]: [ORIGINAL] });
  });

  test("is not a branch of its branch", () => {
    const branch = (sessionId: string, lines: readonly Line[]): Line[] => {
      return lines.map((line) => ({ ...line, forkedFrom: { sessionId } }));
    };
    // An interactive fork: its snapshots come first.
    const original = [1, 2, 3].map(snapshot).concat(turn(1));
    const origins = originsOf({
      [ORIGINAL]: named(ORIGINAL, original),
      [FORK]: named(FORK, [...branch(ORIGINAL, turn(1)), ...turn(2, 1)]),
      [FORK_OF_FORK]: named(FORK_OF_FORK, branch(FORK, [...turn(1), ...turn(2, 1)])),
    });
    expect(origins).toEqual({
      [ORIGINAL]: [],
      [FORK]: [ORIGINAL],
      [FORK_OF_FORK]: [FORK, ORIGINAL],
    });
  });

  test("is named by copied prompts (2.0.60)", () => {
    const copied = named(FORK, turn(1)).with(0, { ...turn(1)[0], sessionId: ORIGINAL });
    const origins = originsOf({
      [ORIGINAL]: named(ORIGINAL, [snapshot(1), snapshot(1), ...turn(1)]),
      [FORK]: [...copied, ...named(FORK, turn(2, 1))],
    });
    expect(origins).toEqual({ [ORIGINAL]: [], [FORK]: [ORIGINAL] });
  });

  const queued = (sessionId: string, minute: number): Line => {
    return { type: "queue-operation", operation: "dequeue", sessionId, ...at(minute) };
  };
  const total = (inputTokens: number): Line => {
    return { type: "cost-state", modelUsage: { "claude-opus-5-5": { inputTokens } } };
  };

  test("was opened before the last shared record, also if it is a fork itself", () => {
    const origins = originsOf({
      [ORIGINAL]: [queued(ORIGINAL, 0), ...named(ORIGINAL, turn(1))],
      [FORK]: [queued(FORK, 2), ...named(FORK, [...turn(1), ...turn(3, 1)])],
      [FORK_OF_FORK]: [
        queued(FORK_OF_FORK, 4),
        ...named(FORK_OF_FORK, [...turn(1), ...turn(3, 1), ...turn(5, 3)]),
      ],
    });
    expect(origins[ORIGINAL]).toEqual([]);
    expect(origins[FORK]).toEqual([ORIGINAL]);
    expect(origins[FORK_OF_FORK]?.toSorted()).toEqual([FORK, ORIGINAL].toSorted());
  });

  test("does not come from another fork that has copies of the same records", () => {
    const origins = originsOf({
      [ORIGINAL]: [queued(ORIGINAL, 0), ...named(ORIGINAL, turn(1))],
      [FORK]: [queued(FORK, 2), ...named(FORK, [...turn(1), ...turn(3, 1)])],
      [FORK_OF_FORK]: [
        queued(FORK_OF_FORK, 4),
        ...named(FORK_OF_FORK, [...turn(1), ...turn(5, 1)]),
      ],
    });
    expect(origins).toEqual({ [ORIGINAL]: [], [FORK]: [ORIGINAL], [FORK_OF_FORK]: [ORIGINAL] });
  });

  test("passes its totals on, so that they are not unrecorded in the fork of a fork", () => {
    const files = {
      [ORIGINAL]: [queued(ORIGINAL, 0), ...named(ORIGINAL, turn(1)), total(4)],
      [FORK]: [queued(FORK, 2), ...named(FORK, [...turn(1), ...turn(3, 1)]), total(8)],
      [FORK_OF_FORK]: [
        queued(FORK_OF_FORK, 4),
        ...named(FORK_OF_FORK, [...turn(1), ...turn(3, 1), ...turn(5, 3)]),
        total(13),
      ],
    };
    const { sessions } = readFiles(
      Object.entries(files).map(([id, lines]) => mainFile(lines, `${id}.jsonl`)),
    );
    const beyond = sessions.flatMap(({ id, unrecorded = [] }) => {
      return unrecorded.map(({ counts }) => [id, counts.input]);
    });
    expect(beyond).toEqual([[FORK_OF_FORK, 1]]);
  });

  test("continues the totals of a branch, which began at zero", () => {
    const forkedFrom = { sessionId: ORIGINAL };
    const branched = turn(1).map((line) => ({ ...line, forkedFrom }));
    const files = {
      [ORIGINAL]: [queued(ORIGINAL, 0), ...named(ORIGINAL, turn(1)), total(4)],
      [FORK]: [...named(FORK, [...branched, ...turn(3, 1)]), total(4)],
      [FORK_OF_FORK]: [
        queued(FORK_OF_FORK, 4),
        ...named(FORK_OF_FORK, [...branched, ...turn(3, 1), ...turn(5, 3)]),
        total(9),
      ],
    };
    const { sessions } = readFiles(
      Object.entries(files).map(([id, lines]) => mainFile(lines, `${id}.jsonl`)),
    );
    const beyond = sessions.flatMap(({ id, unrecorded = [] }) => {
      return unrecorded.map(({ counts }) => [id, counts.input]);
    });
    expect(beyond).toEqual([[FORK_OF_FORK, 1]]);
  });

  test("continues the latest totals of its original, also if it begins at an earlier message", () => {
    const original = [...turn(1), total(4), ...turn(3, 1), total(8), ...turn(7, 3), total(12)];
    const fork = [queued(FORK, 5), ...named(FORK, [...turn(1), ...turn(6, 1)]), total(12)];
    const { sessions } = readFiles([
      mainFile([queued(ORIGINAL, 0), ...named(ORIGINAL, original)], `${ORIGINAL}.jsonl`),
      mainFile(fork, `${FORK}.jsonl`),
    ]);
    expect(sessions.map(({ unrecorded }) => unrecorded)).toEqual([undefined, undefined]);
  });
});

describe("a fork that begins with a compaction", () => {
  const boundary: Line = {
    type: "system",
    subtype: "compact_boundary",
    uuid: "0a",
    parentUuid: null,
    logicalParentUuid: "gone",
    ...at(1),
  };
  const opened: Line = { type: "queue-operation", operation: "dequeue", ...at(3) };
  const total: Line = { type: "cost-state", modelUsage: { "claude-opus-5-5": { inputTokens: 9 } } };
  const read = (lines: readonly Line[]): { copied: string[]; unrecorded: unknown } => {
    const [session] = readFiles([mainFile(lines)]).sessions;
    const messages = session?.messages.filter(({ isInherited }) => isInherited === true) ?? [];
    return { copied: messages.map(({ text }) => text), unrecorded: session?.unrecorded };
  };

  test("has copies that are older than its first line, and totals of its original", () => {
    const lines = [boundary, ...turn(2, 0), ...turn(4, 2), total];
    const copied = ["prompt 2", "answer 2"];
    expect(read([opened, ...lines])).toMatchObject({ copied, unrecorded: undefined });
    // Interactive: nothing distinguishes the copies.
    expect(read(lines)).toMatchObject({ copied: [], unrecorded: undefined });
  });

  test("names its original in the summary", () => {
    const path = `/home/ada/.claude/projects/-home-ada-ledger/${ORIGINAL}.jsonl`;
    const summary = prompt(`The story.\n\nFor details, read the full transcript at: ${path}`, {
      uuid: "0s",
      parentUuid: "0a",
      isCompactSummary: true,
      ...at(1),
    });
    const kept = [boundary, summary, ...turn(2, 0)];
    // An interactive fork begins with its snapshots.
    const fork = [snapshot(2), snapshot(3), ...kept, ...turn(3, 2), total];
    const original = [snapshot(0), ...turn(0), snapshot(2), ...kept, total];
    const files = [
      mainFile(named(ORIGINAL, original), `${ORIGINAL}.jsonl`),
      mainFile(named(FORK, fork)),
    ];
    for (const depth of ["usage", "full"] as const) {
      const { sessions } = readFiles(files, depth);
      const found = sessions.find(({ id }) => id === FORK);
      expect(found?.origins).toEqual([{ sessionId: ORIGINAL, how: "fork" }]);
      expect(sessions.find(({ id }) => id === ORIGINAL)?.origins).toBeUndefined();
      if (depth === "usage") continue;
      const own = found?.messages.filter(({ isInherited }) => isInherited !== true) ?? [];
      expect(own.map(({ text }) => text)).toEqual(["prompt 3", "answer 3"]);
    }
    const [lone] = readFiles(files.slice(1)).sessions;
    expect(lone?.origins).toEqual([{ sessionId: ORIGINAL, how: "fork" }]);
    expect(lone?.unrecorded).toBeUndefined();
  });

  test("is no fork if it was handed over: nothing came before the compaction", () => {
    const { logicalParentUuid: _nothing, ...first } = boundary;
    const { copied, unrecorded } = read([opened, first, ...turn(2, 0), total]);
    expect(copied).toEqual([]);
    expect(unrecorded).toMatchObject([{ model: "claude-opus-5-5" }]);
  });
});

test("a copy up to 1.0.123 is a resumed session, not a fork", () => {
  const copied = (lines: readonly Line[], version: string): Line[] => {
    return lines.map((line) => ({ ...line, version, ...at(5) }));
  };
  const howIn = (version: string): unknown => {
    const { sessions } = readFiles([
      mainFile(named(ORIGINAL, copied(turn(1), version)), `${ORIGINAL}.jsonl`),
      mainFile(named(FORK, copied([snapshot(1), ...turn(1), ...turn(2, 1)], version))),
    ]);
    return sessions.find(({ id }) => id === FORK)?.origins;
  };
  expect(howIn("1.0.123")).toEqual([{ sessionId: ORIGINAL, how: "resume-copy" }]);
  expect(howIn("1.0.124")).toEqual([{ sessionId: ORIGINAL, how: "fork" }]);
});
