// The documented rules of the vendors' APIs for a history. Not a vendor's validator, but based on
// their documentation and error messages.

const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Google allows dots and colons in names, and requires a letter or `_` first. */
const NAMES = {
  anthropic: /^[A-Za-z0-9_-]{1,128}$/,
  openai: /^[A-Za-z0-9_-]{1,64}$/,
  google: /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/,
};

/** What a vendor would reject in a request; undefined if it is valid. */
export function refusedBy(dialect, body) {
  const found = RULES[dialect](body);
  return found.length === 0 ? undefined : found.join("; ");
}

const RULES = {
  /**
   * Each `tool_use` has its `tool_result` in the next message, before any text, and vice versa.
   * Consecutive messages of one role count as one.
   */
  anthropic({ messages }) {
    // Newer agents insert system messages into the conversation.
    const said = joined(messages.filter(({ role }) => role !== "system"));
    const wrong = said.flatMap(({ role, list }, at) => {
      const uses = list.filter(({ type }) => type === "tool_use");
      const results = list.filter(({ type }) => type === "tool_result");
      const next = said[at + 1]?.list.filter(({ type }) => type === "tool_result") ?? [];
      const before = said[at - 1]?.list.filter(({ type }) => type === "tool_use") ?? [];
      const [ids, earlier] = [uses, before].map((blocks) => blocks.map(({ id }) => id));
      const [given, own] = [next, results].map((blocks) =>
        blocks.map((block) => block.tool_use_id),
      );
      const isLate = results.length > 0 && list.findLastIndex(isResult) >= results.length;
      return [
        ...pairing(ids, given),
        ...pairing(earlier, own),
        ...(isLate ? [`a result of message ${at} stands behind other words`] : []),
        ...uses.flatMap(({ id, name }) => namesOf(NAMES.anthropic, id, name)),
        ...(role === "user" || role === "assistant" ? [] : [`role ${role}`]),
        ...(uses.length > 0 && role !== "assistant" ? ["a call of the user"] : []),
        ...(results.length > 0 && role !== "user" ? ["a result of the assistant"] : []),
        ...(list.length === 0 ? [`message ${at} is empty`] : []),
        ...list.flatMap(({ type, text }) => {
          if (type === "thinking") return ["unsigned thinking"];
          return type === "text" && text.trim() === "" ? ["empty text"] : [];
        }),
      ];
    });
    const ids = said.flatMap(({ list }) => list.filter(({ type }) => type === "tool_use"));
    const begin = said[0]?.role === "user" ? [] : ["begins with an answer"];
    return [...begin, ...wrong, ...twice(ids.map(({ id }) => id))];
  },
  /** Each call has one output after it, and vice versa; no foreign reasoning. */
  responses({ input }) {
    const calls = input.filter(({ type }) => /^(function|custom_tool)_call$/.test(type));
    const outputs = input.filter(({ type }) => type?.endsWith("_call_output"));
    const [asked, given] = [calls, outputs].map((list) => list.map((item) => item.call_id));
    const late = given.filter((id) => {
      const found = input.filter((item) => item.call_id === id);
      return found[0]?.type.endsWith("_output") === true;
    });
    const roles = input.filter(({ type = "message" }) => type === "message");
    return [
      ...pairing(asked, given),
      ...calls.flatMap((call) => namesOf(NAMES.openai, call.call_id, call.name)),
      ...twice(asked),
      ...twice(given),
      ...late.map((id) => `output ${id} before its call`),
      ...roles.flatMap(({ role, content }) => [
        ...(/^(user|assistant|developer|system)$/.test(role) ? [] : [`role ${role}`]),
        ...(content.length === 0 ? ["an empty message"] : []),
      ]),
      ...input.flatMap(({ type }) => (type === "reasoning" ? ["foreign reasoning"] : [])),
    ];
  },
  /** As many responses as calls, with the same names, in the next turn; roles alternate. */
  gemini({ contents }) {
    const wrong = contents.flatMap(({ role, parts }, at) => {
      const calls = parts.flatMap((part) => part.functionCall ?? []);
      const responses = parts.flatMap((part) => part.functionResponse ?? []);
      const next = (contents[at + 1]?.parts ?? []).flatMap((part) => part.functionResponse ?? []);
      const before = (contents[at - 1]?.parts ?? []).flatMap((part) => part.functionCall ?? []);
      return [
        ...pairing(calls.map(named), next.map(named)),
        ...pairing(before.map(named), responses.map(named)),
        ...(calls.length === next.length ? [] : ["not as many responses as calls"]),
        ...calls.flatMap(({ id, name }) => namesOf(NAMES.google, id, name)),
        ...(role === "user" || role === "model" ? [] : [`role ${role}`]),
        ...(calls.length > 0 && role !== "model" ? ["a call of the user"] : []),
        ...(role === contents[at + 1]?.role ? [`two turns of ${role}`] : []),
        ...(parts.length === 0 ? ["an empty turn"] : []),
      ];
    });
    const ids = contents.flatMap(({ parts }) => parts.flatMap((part) => part.functionCall ?? []));
    const begin = contents[0]?.role === "user" ? [] : ["begins with an answer"];
    return [...begin, ...wrong, ...twice(ids.flatMap(({ id }) => id ?? []))];
  },
  /** Tool messages follow the message whose calls they answer, one for each. */
  chat({ messages }) {
    const said = messages.filter(({ role }) => role !== "system");
    const wrong = said.flatMap(({ role, content, tool_calls: calls = [] }, at) => {
      const answers = [];
      for (let next = at + 1; said[next]?.role === "tool"; next += 1) answers.push(said[next]);
      const given = answers.map((answer) => answer.tool_call_id);
      const isFollowed = role !== "tool";
      const isEmpty = calls.length === 0 && (content ?? "").length === 0;
      return [
        // An answer without a call appears as one too many after the previous message.
        ...(isFollowed ? [...pairing(idsOf(calls), given), ...twice(given)] : []),
        ...calls.flatMap(({ id, function: { name } }) => namesOf(NAMES.openai, id, name)),
        ...(/^(user|assistant|tool)$/.test(role) ? [] : [`role ${role}`]),
        ...(calls.length > 0 && role !== "assistant" ? ["a call of the user"] : []),
        ...(isEmpty && role !== "tool" ? [`message ${at} is empty`] : []),
      ];
    });
    const begin = said[0]?.role === "user" ? [] : ["begins with an answer"];
    return [
      ...begin,
      ...wrong,
      ...twice(said.flatMap((message) => idsOf(message.tool_calls ?? []))),
    ];
  },
};

/** Joins consecutive messages of one role. */
function joined(messages) {
  const turns = [];
  for (const { role, content } of messages) {
    const list = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const last = turns.at(-1);
    if (last?.role === role) last.list = [...last.list, ...list];
    else turns.push({ role, list });
  }
  return turns;
}

function isResult({ type }) {
  return type === "tool_result";
}

function named({ id, name }) {
  return `${id} ${name}`;
}

function idsOf(calls) {
  return calls.map(({ id }) => id);
}

function pairing(calls, results) {
  return [
    ...calls.filter((id) => !results.includes(id)).map((id) => `no result for ${id}`),
    ...results.filter((id) => !calls.includes(id)).map((id) => `no call for ${id}`),
  ];
}

function namesOf(pattern, id, name) {
  return [
    ...(id === undefined || ID.test(id) ? [] : [`id ${id}`]),
    ...(pattern.test(name) ? [] : [`name ${name}`]),
  ];
}

function twice(ids) {
  return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `id ${id} twice`);
}
