import type { TreeDifference } from "../../corpora/compare.ts";

/** Reasons why the result differs from the API's books: the data is not on the disk. */
const REASONS = {
  FINAL_COUNTS_LOST: "2.1.14 to 2.1.56 never write the final count of an answer",
  LATE_END: "the end of the answer came after its last record was written",
  DELETED: "the program deleted the older sessions itself",
  AGENT_DIED: "an agent whose call failed left no record (0.2 to 1.0.0)",
  REFUSED_ANSWER: "0.2 keeps only its own notice of a refused answer",
  BROKEN_OFF: "an answer that was broken off counts with what the API had said until then",
  WARM_UPS_ENDED: "the process ended before its warm-ups did",
  FIRST_REQUEST_FAILED: "a session whose first request fails for good leaves no file",
  KILLED: "the process was killed before anything was written",
  TYPED_WHILE_BUSY: "1.0 stores nothing of a prompt that is typed while it works",
  PIPED_TEXT: "piped text is a part of the prompt; the books name the typed part alone",
  KEYS_OF_THE_DRIVER: "the driver's own keys got into the prompt",
} as const;

interface KnownDifference {
  because: readonly (typeof REASONS)[keyof typeof REASONS][];
  differs: TreeDifference;
}

export const KNOWN: Readonly<Record<string, KnownDifference>> = {
  "0.2.126/errors": {
    because: [REASONS.REFUSED_ANSWER],
    differs: {
      answers: { missing: ["I will"], extra: [] },
      tokens: {
        "claude-3-7-sonnet-20250219":
          "requests -1, input -19966, cached -15697, cacheWrite -2810, written -289, total -20255",
      },
    },
  },
  "0.2.126/subagent": {
    because: [REASONS.AGENT_DIED],
    differs: {
      tokens: {
        "claude-3-7-sonnet-20250219":
          "requests -1, input -13774, cached -10633, cacheWrite -2090, written -121, total -13895",
      },
      tools: { Bash: "0/0/0/0 instead of 1/0/0/0" },
    },
  },
  "1.0.0/subagent": {
    because: [REASONS.AGENT_DIED],
    differs: {
      tokens: {
        "claude-sonnet-4-20250514":
          "requests -1, input -13774, cached -10633, cacheWrite -2090, written -121, total -13895",
      },
      tools: { Bash: "0/0/0/0 instead of 1/0/0/0" },
    },
  },
  "1.0.60/errors": {
    because: [REASONS.BROKEN_OFF, REASONS.FIRST_REQUEST_FAILED],
    differs: {
      prompts: { missing: ["E6 error event"], extra: [] },
      tokens: {
        "claude-sonnet-4-20250514":
          "requests 1, input 16870, cached 13165, cacheWrite 2450, written 4, total 16874",
      },
    },
  },
  "1.0.60/kill": {
    because: [REASONS.BROKEN_OFF],
    differs: {
      tokens: {
        "claude-sonnet-4-20250514":
          "requests 3, input 41580, cached 32110, cacheWrite 6300, written 9, total 41589",
      },
    },
  },
  "1.0.60/slowend": {
    because: [REASONS.LATE_END],
    differs: { tokens: { "claude-sonnet-4-20250514": "written -232, total -232" } },
  },
  "1.0.60/tui-interrupt": {
    because: [REASONS.BROKEN_OFF],
    differs: {
      tokens: {
        "claude-sonnet-4-20250514":
          "requests 1, input 13774, cached 10633, cacheWrite 2090, written 4, total 13778",
      },
    },
  },
  "1.0.60/tui-misc": {
    because: [REASONS.TYPED_WHILE_BUSY],
    differs: { prompts: { missing: ["X4: queued while busy"], extra: [] } },
  },
  "1.0.128/cleanup": {
    because: [REASONS.DELETED],
    differs: {
      prompts: { missing: ["C1: old session", "C2: new start"], extra: [] },
      answers: { missing: ["C1 answer.", "C2 answer."], extra: [] },
      tokens: {
        "claude-sonnet-4-20250514":
          "requests -2, input -27290, cached -21055, cacheWrite -4150, written -235, total -27525",
      },
    },
  },
  "1.0.128/errors": {
    because: [REASONS.BROKEN_OFF, REASONS.FIRST_REQUEST_FAILED],
    differs: {
      prompts: { missing: ["E6 error event"], extra: [] },
      tokens: {
        "claude-sonnet-4-20250514":
          "requests 1, input 16870, cached 13165, cacheWrite 2450, written 4, total 16874",
      },
    },
  },
  "1.0.128/slowend": {
    because: [REASONS.LATE_END],
    differs: { tokens: { "claude-sonnet-4-20250514": "written -232, total -232" } },
  },
  "1.0.128/tui-interrupt": {
    because: [REASONS.BROKEN_OFF, REASONS.KEYS_OF_THE_DRIVER],
    differs: {
      prompts: { missing: ["I6: go on"], extra: ["\u0005\u0015I6: go on\n"] },
      tokens: {
        "claude-sonnet-4-20250514":
          "requests 1, input 13774, cached 10633, cacheWrite 2090, written 4, total 13778",
      },
    },
  },
  "2.0.77/cleanup": {
    because: [REASONS.DELETED],
    differs: {
      prompts: { missing: ["C1: old session", "C2: new start"], extra: [] },
      answers: { missing: ["C1 answer.", "C2 answer."], extra: [] },
      tokens: {
        "claude-haiku-4-5-20251001":
          "requests -2, input -29096, cached -22532, cacheWrite -4360, written -284, total -29380",
        "claude-sonnet-4-5-20250929":
          "requests -6, input -87546, cached -67807, cacheWrite -13110, written -859, total -88405",
      },
    },
  },
  "2.0.77/errors": {
    because: [REASONS.BROKEN_OFF, REASONS.FIRST_REQUEST_FAILED],
    differs: {
      prompts: { missing: ["E6 error event"], extra: [] },
      tokens: {
        "claude-sonnet-4-5-20250929":
          "requests 1, input 19450, cached 15275, cacheWrite 2750, written 2, total 19452",
      },
    },
  },
  "2.0.77/kill": {
    because: [REASONS.WARM_UPS_ENDED, REASONS.KILLED],
    differs: {
      prompts: { missing: ["K1 SIGKILL in the stream", "K4 SIGKILL in a tool"], extra: [] },
      answers: { missing: ["I sleep."], extra: [] },
      tokens: {
        "claude-haiku-4-5-20251001":
          "requests -2, input -29870, cached -23165, cacheWrite -4450, written -305, total -30175",
        "claude-sonnet-4-5-20250929":
          "requests -3, input -46482, cached -36119, cacheWrite -6870, written -803, total -47285",
      },
      tools: { Bash: "0/0/0/0 instead of 1/0/0/0" },
    },
  },
  "2.0.77/names": {
    because: [REASONS.WARM_UPS_ENDED],
    differs: {
      tokens: {
        "claude-haiku-4-5-20251001":
          "requests -2, input -34514, cached -26963, cacheWrite -4990, written -431, total -34945",
        "claude-sonnet-4-5-20250929":
          "requests -7, input -120670, cached -94265, cacheWrite -17450, " +
          "written -1505, total -122175",
      },
    },
  },
  "2.0.77/slash": {
    because: [REASONS.WARM_UPS_ENDED, REASONS.PIPED_TEXT],
    differs: {
      prompts: {
        missing: ["What does the input say?"],
        extra: ["What does the input say?\napple\npear\n"],
      },
      tokens: {
        "claude-haiku-4-5-20251001":
          "requests -1, input -15322, cached -11899, cacheWrite -2270, written -163, total -15485",
        "claude-sonnet-4-5-20250929":
          "requests -3, input -46998, cached -36541, cacheWrite -6930, written -517, total -47515",
      },
    },
  },
  "2.0.77/tui-interrupt": {
    because: [REASONS.BROKEN_OFF, REASONS.KEYS_OF_THE_DRIVER],
    differs: {
      prompts: { missing: ["I4: go on"], extra: ["\u0005\u0015I4: go on"] },
      tokens: {
        "claude-sonnet-4-5-20250929":
          "requests 1, input 14548, cached 11266, cacheWrite 2180, written 3, total 14551",
      },
    },
  },
  "2.1.14/basic": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-5-20250929": "written -105, total -105" } },
  },
  "2.1.14/fork": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-5-20250929": "written -661, total -661" } },
  },
  "2.1.14/parallel": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-5-20250929": "written -238, total -238" } },
  },
  "2.1.14/resume": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-5-20250929": "written -494, total -494" } },
  },
  "2.1.14/slowend": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-5-20250929": "written -232, total -232" } },
  },
  "2.1.14/subagent": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-5-20250929": "written -1317, total -1317" } },
  },
  "2.1.14/thinking": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-5-20250929": "written -371, total -371" } },
  },
  "2.1.14/tools": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-5-20250929": "written -1934, total -1934" } },
  },
  "2.1.56/basic": {
    because: [REASONS.FINAL_COUNTS_LOST],
    differs: { tokens: { "claude-sonnet-4-6": "written -105, total -105" } },
  },
  "2.1.75/slowend": {
    because: [REASONS.LATE_END],
    differs: { tokens: { "claude-sonnet-4-6": "written -216, total -216" } },
  },
  "2.1.86/slowend": {
    because: [REASONS.LATE_END],
    differs: { tokens: { "claude-sonnet-4-6": "written -216, total -216" } },
  },
  "2.1.100/slash": {
    because: [REASONS.PIPED_TEXT],
    differs: {
      prompts: {
        missing: ["What does the input say?"],
        extra: ["What does the input say?\napple\npear\n"],
      },
    },
  },
  "2.1.325/errors": {
    because: [REASONS.BROKEN_OFF],
    differs: {
      tokens: {
        "claude-opus-5-5":
          "requests 1, input 15838, cached 12321, cacheWrite 2330, written 4, total 15842",
      },
    },
  },
  "2.1.325/kill": {
    because: [REASONS.BROKEN_OFF],
    differs: {
      answers: { missing: [], extra: ["This answer never ends because the prog"] },
      tokens: {
        "claude-opus-5-5":
          "requests 1, input 13774, cached 10633, cacheWrite 2090, written 4, total 13778",
      },
    },
  },
  "2.1.325/slash": {
    because: [REASONS.PIPED_TEXT],
    differs: {
      prompts: {
        missing: ["What does the input say?"],
        extra: ["What does the input say?\napple\npear\n"],
      },
    },
  },
  "2.1.325/tui-interrupt": {
    because: [REASONS.BROKEN_OFF],
    differs: {
      answers: { missing: [], extra: ["This long answer is interrupted by the user i"] },
      tokens: {
        "claude-opus-5-5":
          "requests 1, input 13258, cached 10211, cacheWrite 2030, written 2, total 13260",
      },
    },
  },
};
