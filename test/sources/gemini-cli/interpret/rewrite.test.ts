import { describe, expect, test } from "vitest";
import { playText } from "./play.ts";
import {
  call,
  CONTEXT,
  copy,
  header,
  jsonl,
  notice,
  reply,
  responsePart,
  snapshot,
  user,
} from "./records.ts";

/** `id standing reason` of every message, copies with the id of their original. */
function standings(...records: object[]): string[] {
  return playText(jsonl(...records)).messages.map(({ id, standing, reason, copyOf }) => {
    const why = [reason, copyOf === undefined ? undefined : `of ${copyOf}`];
    return [id === CONTEXT.id ? "context" : id, standing, ...why.filter(Boolean)].join(" ");
  });
}

const turn = [user("u1", "One"), reply("g1", "First")];
const next = [user("u2", "Two"), reply("g2", "Second")];

describe("a start", () => {
  test("changes nothing, neither the first nor a later one", () => {
    const start = [header(), snapshot(CONTEXT)];
    expect(standings(...start, ...turn, ...start)).toEqual(["context live", "u1 live", "g1 live"]);
  });

  test("without a header rolls back everything said before", () => {
    expect(standings(header(), snapshot(CONTEXT), user("u1", "One"), snapshot(CONTEXT))).toEqual([
      "context live",
      "u1 rewound rollback",
    ]);
  });

  test("at the beginning of a file needs no header", () => {
    expect(standings(snapshot(CONTEXT), ...turn)).toEqual(["context live", "u1 live", "g1 live"]);
  });
});

describe("messages missing at the end of a snapshot are rewound", () => {
  test("by a failed request", () => {
    expect(standings(header(), ...turn, user("u2", "Two"), snapshot(...turn))).toEqual([
      "u1 live",
      "g1 live",
      "u2 rewound rollback",
    ]);
  });

  test("by a person who cancelled", () => {
    const records = [header(), ...turn, user("u2", "Two"), notice("i", "Request cancelled.")];
    expect(standings(...records, snapshot(...turn))).toEqual([
      "u1 live",
      "g1 live",
      "u2 rewound cancel",
      "i live",
    ]);
  });

  test("by a person who cancelled, with what the model had already done", () => {
    expect(standings(header(), ...turn, ...next, snapshot(...turn))).toEqual([
      "u1 live",
      "g1 live",
      "u2 rewound cancel",
      "g2 rewound cancel",
    ]);
  });

  test("by a person who cancelled, with the rest written again", () => {
    const anew = [copy("n1", "user", { text: "One" }), copy("n2", "gemini", { text: "First" })];
    const cancelled = [header(), ...turn, ...next, notice("i", "Request cancelled.")];
    expect(standings(...cancelled, ...anew, snapshot(...anew))).toEqual([
      "u1 live",
      "g1 live",
      "u2 rewound cancel",
      "g2 rewound cancel",
      "i live",
      "n1 rewritten rollback-copy of u1",
      "n2 rewritten rollback-copy of g1",
    ]);
  });
});

describe("a summary", () => {
  const summary = user("s", "<state_snapshot>All.</state_snapshot>");
  const thanks = reply("t", "Got it. Thanks for the additional context!", {
    tokens: undefined,
    model: undefined,
  });

  test("replaces messages that are not listed again", () => {
    const kept = [copy("n1", "user", { text: "Two" }), copy("n2", "gemini", { text: "Second" })];
    const session = playText(jsonl(header(), ...turn, ...next, snapshot(summary, thanks, ...kept)));
    expect(
      session.messages.map(({ id, standing, reason }) => `${id} ${standing} ${reason}`),
    ).toEqual([
      "u1 rewritten compression",
      "g1 rewritten compression",
      "s live undefined",
      "t live undefined",
      "u2 live undefined",
      "g2 live undefined",
      "n1 rewritten compression-copy",
      "n2 rewritten compression-copy",
    ]);
    expect(session.compressions).toMatchObject([{ how: "summary", messageId: "s" }]);
  });

  test("that is listed again is not a second compression", () => {
    const first = snapshot(summary, thanks);
    const session = playText(
      jsonl(header(), ...turn, first, ...next, snapshot(summary, thanks, ...next)),
    );
    expect(session.compressions.length).toBe(1);
    expect(session.messages.filter(({ standing }) => standing === "live").length).toBe(4);
  });

  test("reported only by a notice is a compression, too", () => {
    const actual = playText(jsonl(header(), ...turn, notice("i", ""), ...next));
    expect(actual.compressions).toMatchObject([{ how: "notice", messageId: "i" }]);
    const automatic = notice("i", "Context compressed from 86% to 0%.");
    expect(playText(jsonl(header(), automatic)).compressions.length).toBe(1);
  });
});

describe("copies", () => {
  const work = reply("g1", "", { toolCalls: [call("c1")] });
  const before = [header(), user("u1", "One"), reply("g1", ""), work];
  const answer = copy("r1", "user", responsePart("c1"));
  const anew = (output: string): object[] => [
    copy("n1", "user", { text: "One" }),
    copy("n2", "gemini", { functionCall: { id: "c1", name: "glob", args: {} } }),
    copy("n3", "user", responsePart("c1", output)),
  ];

  test("with shorter outputs were made by masking", () => {
    const copies = anew("<tool_output_masked>o</tool_output_masked>");
    expect(standings(...before, answer, ...copies, snapshot(...copies)).slice(3)).toEqual([
      "n1 rewritten masking-copy of u1",
      "n2 rewritten masking-copy of g1",
      "n3 rewritten masking-copy of r1",
    ]);
  });

  test("keep the whole output of the original", () => {
    const copies = anew("<tool_output_masked>o</tool_output_masked>");
    const { messages } = playText(jsonl(...before, answer, ...copies, snapshot(...copies)));
    expect(messages.find(({ id }) => id === "g1")?.toolCalls[0]?.output).toBe("out");
  });

  test("of everything unchanged come from a loaded chat", () => {
    const copies = anew("out");
    expect(standings(...before, answer, ...next, ...copies, snapshot(...copies))).toEqual([
      "u1 live",
      "g1 live",
      "r1 live",
      "u2 rewritten replaced",
      "g2 rewritten replaced",
      "n1 rewritten chat-copy of u1",
      "n2 rewritten chat-copy of g1",
      "n3 rewritten chat-copy of r1",
    ]);
  });

  test("of messages that were compressed since come from a loaded chat, too", () => {
    const state = user("s", "<state_snapshot>All of it.</state_snapshot>");
    const compressed = snapshot(state, copy("s2", "gemini", { text: "Got it." }));
    const copies = anew("out");
    const records = [...before, answer, compressed, ...next, ...copies, snapshot(...copies)];
    const actual = standings(...records);
    for (const line of ["u1 live", "g1 live", "r1 live", "n1 rewritten chat-copy of u1"])
      expect(actual).toContain(line);
    expect(actual.filter((line) => line.endsWith(" live"))).toHaveLength(3);
    const { messages } = playText(jsonl(...records));
    expect(messages.filter(({ isPrompt }) => isPrompt).map(({ id }) => id)).toEqual(["u1", "u2"]);
  });

  test("of tool responses come with every resume", () => {
    const again = copy("g1_response", "user", responsePart("c1"));
    expect(standings(...before, answer, snapshot(user("u1", "One"), work, again, answer))).toEqual([
      "u1 live",
      "g1 live",
      "r1 live",
      "g1_response rewritten resume-copy of r1",
    ]);
  });

  test("are not second prompts", () => {
    const copies = anew("out");
    const { messages } = playText(jsonl(...before, answer, ...copies, snapshot(...copies)));
    expect(messages.filter(({ isPrompt }) => isPrompt).map(({ id }) => id)).toEqual(["u1"]);
  });

  test("can be the target of a rewind like their originals", () => {
    const copies = anew("out");
    const records = [...before, answer, ...copies, snapshot(...copies), { $rewindTo: "n2" }];
    expect(standings(...records).slice(0, 3)).toEqual([
      "u1 live",
      "g1 rewound rewind",
      "r1 rewound rewind",
    ]);
  });
});

describe("merged neighbours", () => {
  test("of the person stay separate", () => {
    const merged = copy(
      "n1",
      "user",
      ...CONTEXT.content,
      { text: "One" },
      { text: "And one more" },
    );
    const records = [header(), snapshot(CONTEXT), user("u1", "One"), user("u2", "And one more")];
    expect(standings(...records, merged, snapshot(merged))).toEqual([
      "context live",
      "u1 live",
      "u2 live",
      "n1 rewritten chat-copy of u1",
    ]);
  });

  test("of the model stay separate", () => {
    const moved = reply("g2", "", { toolCalls: [call("c1")], tokens: null, model: undefined });
    const merged = copy(
      "n2",
      "gemini",
      { text: "First" },
      { functionCall: { id: "c1", name: "glob" } },
    );
    const anew = [copy("n1", "user", { text: "One" }), merged];
    expect(standings(header(), ...turn, moved, ...anew, snapshot(...anew))).toEqual([
      "u1 live",
      "g1 live",
      "g2 live",
      "n1 rewritten chat-copy of u1",
      "n2 rewritten chat-copy of g1",
    ]);
  });
});

describe("a rewind", () => {
  test("takes back the named message and everything after it", () => {
    expect(standings(header(), ...turn, ...next, { $rewindTo: "u2" })).toEqual([
      "u1 live",
      "g1 live",
      "u2 rewound rewind",
      "g2 rewound rewind",
    ]);
  });

  test("to a rewound or unknown message takes back everything", () => {
    for (const toId of ["u2", "nobody"]) {
      const records = [header(), ...turn, ...next, { $rewindTo: "u2" }, { $rewindTo: toId }];
      expect(standings(...records).slice(0, 2)).toEqual(["u1 rewound rewind", "g1 rewound rewind"]);
    }
  });

  test("leaves messages recorded again live, at the end", () => {
    const records = [header(), ...turn, ...next, { $rewindTo: "u2" }, user("u3", "Three"), ...next];
    expect(standings(...records)).toEqual(["u1 live", "g1 live", "u3 live", "u2 live", "g2 live"]);
  });
});

describe("messages that the program leaves out of its memory", () => {
  test("stay live if they are prompts that look like commands", () => {
    const odd = [user("u3", "/etc/hosts is broken"), reply("g3", "Let me see.")];
    const resumed = snapshot(...turn, ...odd.slice(1));
    expect(standings(header(), ...turn, ...odd, resumed)).toEqual([
      "u1 live",
      "g1 live",
      "u3 live",
      "g3 live",
    ]);
  });

  test("stay live if they are notices", () => {
    const records = [
      header(),
      ...turn,
      notice("i", "Switched to another model."),
      snapshot(...turn),
    ];
    expect(standings(...records)).toEqual(["u1 live", "g1 live", "i live"]);
  });
});
