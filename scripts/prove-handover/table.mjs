// The table of `docs/guide/handover.md`, made from what was recorded.
import { AGENTS, storiesOf } from "./stories.mjs";

/** The versions that take conversations, as columns. */
export const VERSIONS = {
  "gemini-cli 0.61.0": "Gemini CLI 0.61.0",
  "claude-code 2.1.325": "Claude Code 2.1.325",
  "claude-code 2.0.77": "Claude Code 2.0.77",
  "codex 0.166.0": "Codex 0.166.0",
  "codex 0.130.0": "Codex 0.130.0",
  "qwen-code 0.24.4": "Qwen Code 0.24.4",
};

const ROWS = [
  ["plain, tools, errors (recorded)", ["plain", "tools", "errors"]],
  [
    "interrupted: answers and tools that were stopped, calls that were refused (recorded)",
    ["interrupted"],
  ],
  ["compacted, rewound, subagents (recorded)", ["compacted", "rewound", "subagents"]],
  ["parallel calls, 300 messages (made)", ["parallel", "long"]],
  ["pictures in prompts and in results (made) ¹", ["pictures"]],
  ["`--tools as-text` and `--fit`, from one agent", ["tools as text", "300 messages shortened"]],
  [
    "hostile (made): marks of every program, control characters, odd ids and paths, orders in tool output",
    ["hostile"],
  ],
];

/** Every pair and story that there is to prove for a version. */
export function wantedFor(target) {
  const to = target.split(" ")[0];
  return Object.keys(AGENTS)
    .filter((from) => from !== to)
    .flatMap((from) => storiesOf(from, to).map(({ name }) => ({ target, from, story: name })));
}

/** How many conversations each version was proved to take, of how many. */
export function proofTable(cases) {
  const versions = Object.keys(VERSIONS);
  const rows = ROWS.map(([label, stories]) => {
    const cells = versions.map((target) => {
      const isAsked = (one) => one.target === target && stories.includes(one.story);
      return `${cases.filter(isAsked).length} of ${wantedFor(target).filter(isAsked).length}`;
    });
    return [label, ...cells];
  });
  const head = ["conversation", ...Object.values(VERSIONS)];
  const [first, ...rest] = [head, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`);
  return [first, `${"|---".repeat(head.length)}|\n`, ...rest].join("");
}
