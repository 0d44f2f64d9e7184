// The documented rules of the vendors' APIs for a history: what they refuse. No vendor's validator,
// but what their pages and errors say.

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;

/** What a vendor would refuse in a request; nothing when it would take it. */
export function refusedBy(dialect, body) {
  const found = RULES[dialect](body);
  return found.length === 0 ? undefined : found.join("; ");
}

const RULES = {
  /** Each `tool_use` has its `tool_result` in the next message, and the other way round. */
  anthropic({ messages }) {
    // Newer programs send messages of their own between those of the conversation.
    const said = messages.filter(({ role }) => role !== "system");
    const blocks = said.map(({ role, content }) => {
      return {
        role,
        list: typeof content === "string" ? [{ type: "text", text: content }] : content,
      };
    });
    const wrong = blocks.flatMap(({ role, list }, at) => {
      const uses = list.filter(({ type }) => type === "tool_use");
      const next = (blocks[at + 1]?.list ?? []).filter(({ type }) => type === "tool_result");
      const results = list.filter(({ type }) => type === "tool_result");
      const before = (blocks[at - 1]?.list ?? []).filter(({ type }) => type === "tool_use");
      return [
        ...pairing(
          uses.map(({ id }) => id),
          next.map((result) => result.tool_use_id),
        ),
        ...pairing(
          before.map(({ id }) => id),
          results.map((result) => result.tool_use_id),
        ),
        ...uses.flatMap(({ id, name }) => namesOf(id, name)),
        ...(list.length === 0 ? [`message ${at} is empty`] : []),
        ...list.flatMap((one) =>
          one.type === "text" && one.text.trim() === "" ? ["empty text"] : [],
        ),
        ...list.flatMap((one) => (one.type === "thinking" ? ["unsigned thinking"] : [])),
        ...(role === "user" || role === "assistant" ? [] : [`role ${role}`]),
      ];
    });
    const ids = blocks.flatMap(({ list }) =>
      list.flatMap(({ type, id }) => (type === "tool_use" ? [id] : [])),
    );
    return [
      ...(said[0]?.role === "user" ? [] : ["begins with an answer"]),
      ...wrong,
      ...twice(ids),
    ];
  },
  /** Each call has its output and the other way round; no foreign reasoning. */
  responses({ input }) {
    const calls = input.filter(
      ({ type }) => type === "function_call" || type === "custom_tool_call",
    );
    const outputs = input.filter(({ type }) => type?.endsWith("_call_output"));
    const late = outputs.filter(({ call_id: id }) => {
      return (
        input.findIndex((item) => item.call_id === id && item.type.endsWith("_call")) >
        input.findIndex((item) => item.call_id === id && item.type.endsWith("_output"))
      );
    });
    return [
      ...pairing(
        calls.map((call) => call.call_id),
        outputs.map((output) => output.call_id),
      ),
      ...calls.flatMap((call) => namesOf(call.call_id, call.name)),
      ...twice(calls.map((call) => call.call_id)),
      ...late.map((output) => `output ${output.call_id} before its call`),
      ...input.flatMap(({ type }) => (type === "reasoning" ? ["foreign reasoning"] : [])),
    ];
  },
  /** As many responses as calls, in the next turn; roles by turns. */
  gemini({ contents }) {
    const wrong = contents.flatMap(({ role, parts }, at) => {
      const calls = parts.flatMap((part) => part.functionCall ?? []);
      const next = (contents[at + 1]?.parts ?? []).flatMap((part) => part.functionResponse ?? []);
      return [
        ...(calls.length === 0
          ? []
          : pairing(
              calls.map(({ id }) => id),
              next.map(({ id }) => id),
            )),
        ...(calls.length > 0 && calls.length !== next.length
          ? ["not as many responses as calls"]
          : []),
        ...calls.flatMap(({ id, name }) => namesOf(id, name)),
        ...(role === contents[at + 1]?.role ? [`two turns of ${role}`] : []),
        ...(parts.length === 0 ? ["an empty turn"] : []),
      ];
    });
    return [...(contents[0]?.role === "user" ? [] : ["begins with an answer"]), ...wrong];
  },
  /** Tool messages follow the calls that they answer. */
  chat({ messages }) {
    const said = messages.filter(({ role }) => role !== "system");
    const wrong = said.flatMap(({ tool_calls: calls = [] }, at) => {
      const answers = [];
      for (let next = at + 1; said[next]?.role === "tool"; next += 1) answers.push(said[next]);
      return calls.length === 0
        ? []
        : [
            ...pairing(
              calls.map(({ id }) => id),
              answers.map((answer) => answer.tool_call_id),
            ),
            ...calls.flatMap(({ id, function: { name } }) => namesOf(id, name)),
          ];
    });
    const orphans = said.filter(({ role }, at) => role === "tool" && at === 0);
    return [...wrong, ...orphans.map(() => "an answer to no call")];
  },
};

function pairing(calls, results) {
  return [
    ...calls.filter((id) => !results.includes(id)).map((id) => `no result for ${id}`),
    ...results.filter((id) => !calls.includes(id)).map((id) => `no call for ${id}`),
  ];
}

function namesOf(id, name) {
  return [
    ...(id === undefined || ID.test(id) ? [] : [`id ${id}`]),
    ...(NAME.test(name) ? [] : [`name ${name}`]),
  ];
}

function twice(ids) {
  return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `id ${id} twice`);
}
