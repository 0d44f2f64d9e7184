/** Converts the steps of a story to items: prompts, replies with their calls, notices and acts. */
export function compile(steps) {
  const items = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at];
    if (step.verb === "agent") {
      const end = steps.findIndex(
        ({ verb, word }, i) => i > at && verb === "agent" && word === "end",
      );
      const call = items.at(-1).calls.at(-1);
      call.agent = { task: step.text, items: compile(steps.slice(at + 1, end)) };
      at = end;
    } else add(items, step);
  }
  return items;
}

function add(items, step) {
  const last = items.at(-1);
  const verb = verbs[step.verb];
  if (verb) verb(step, { items, last, call: last?.calls?.at(-1) });
  else items.push({ kind: step.verb, word: step.word, text: step.text });
}

function notice({ verb, text }, { items }) {
  items.push({ kind: "notice", level: verb, text });
}

/** What each verb adds; other verbs become acts. */
const verbs = {
  you({ text }, { items }) {
    items.push({ kind: "prompt", text, refs: [] });
  },
  ref({ word, text }, { last }) {
    last.refs.push({ path: word, content: text });
  },
  model({ word, text }, { items }) {
    items.push({ kind: "reply", model: word, text, thoughts: [], calls: [] });
  },
  think({ text }, { last }) {
    const [subject, description] = text.split(" | ");
    last.thoughts.push({ subject, description });
  },
  tool({ word, text }, { last }) {
    last.calls.push({ name: word, args: JSON.parse(text || "{}"), status: "success" });
  },
  content({ text }, { call }) {
    call.args.content = `${text}\n`;
  },
  old({ text }, { call }) {
    call.args.old_string = text;
  },
  new({ text }, { call }) {
    call.args.new_string = text;
  },
  out({ word, text }, { call }) {
    call.out = expand(text);
    if (word !== undefined) call.exitCode = Number(word);
  },
  show({ text }, { call }) {
    call.show = text;
  },
  err({ text }, { call }) {
    Object.assign(call, { status: "error", error: text });
  },
  cancel({ text }, { call }) {
    Object.assign(call, { status: "cancelled", error: text });
  },
  info: notice,
  warning: notice,
  error: notice,
};

/** `@repeat 60 line {n}` expands to sixty lines. */
function expand(text) {
  return text.replace(/^@repeat (\d+) (.*)$/gm, (_, count, line) =>
    Array.from({ length: Number(count) }, (_none, n) => {
      return line.replaceAll("{n}", String(n % 60).padStart(2, "0"));
    }).join("\n"),
  );
}
