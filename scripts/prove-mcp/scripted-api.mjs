// APIs of three vendors on loopback, as far as an agent needs them to call two tools in a row: the
// first request that offers Pollux's tools is answered by a call of `search`, the next by a call of
// `read` on the result, and the third by text.
import { createServer } from "node:http";

/** Occurs once in the seeded session, and nowhere in the session of the request. */
const SEARCH = { query: '"wrote summary"', in: ["answers"], everywhere: true };
const SENTENCE = "I have read it.";

/** Starts an API; `calls` collects calls and their results, `asked` all requests. */
export async function startApi(dialect) {
  const calls = [];
  const all = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const asked = body.startsWith("{") ? JSON.parse(body) : {};
      all.push(asked);
      dialect(request.url ?? "", asked, { response, next: (view) => nextStep(calls, view) });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return { calls, asked: all, url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

/** The model's next step, from the offered tools and the results so far. */
function nextStep(calls, { tools, resultOf }) {
  const named = (tool) => tools.find((name) => new RegExp(`pollux_*${tool}$`).test(name));
  for (const [at, open] of calls.entries()) {
    const found = resultOf({ id: `call_${at + 1}`, tool: open.tool });
    if (found !== undefined) open.result = textIn(found);
  }
  if (named("search") === undefined) return { text: SENTENCE };
  if (calls.length === 0) return call(calls, named("search"), "search", SEARCH);
  if (calls.length === 1 && calls[0].result !== null) {
    const session = /"sessionId":\s*"([^"]+)"/.exec(calls[0].result)?.[1];
    return call(calls, named("read"), "read", { session, everywhere: true });
  }
  return { text: SENTENCE };
}

function call(calls, name, tool, args) {
  calls.push({ tool, args, result: null });
  return { call: { id: `call_${calls.length}`, name, args } };
}

function events(response, list) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of list) {
    response.write(`${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
  }
  response.end();
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** Gemini: `:streamGenerateContent`, and side requests that expect JSON. */
export function gemini(url, asked, { response, next }) {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  const tools = (asked.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name),
  );
  const parts = (asked.contents ?? []).flatMap((content) => content.parts ?? []);
  const resultOf = ({ tool }) =>
    parts.find(({ functionResponse }) => functionResponse?.name.endsWith(`_${tool}`))
      ?.functionResponse.response;
  const step = next({ tools, resultOf });
  const part = step.call
    ? { functionCall: { name: step.call.name, args: step.call.args } }
    : { text: tools.length > 0 ? step.text : '{"model_choice":"flash","reasoning":"short"}' };
  const candidates = [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }];
  const data = { candidates, usageMetadata, modelVersion: "gemini-2.5-flash" };
  if (url.includes(":countTokens")) return json(response, { totalTokens: 10 });
  return url.includes("stream") ? events(response, [{ data }]) : json(response, data);
}

/** Claude: `/v1/messages`, streamed. */
export function claude(url, asked, { response, next }) {
  if (!url.startsWith("/v1/messages") || url.includes("count_tokens")) {
    return json(response, { input_tokens: 10 });
  }
  const tools = (asked.tools ?? []).map(({ name }) => name);
  const blocks = (asked.messages ?? []).flatMap(({ content }) => content);
  const resultOf = ({ id }) => blocks.find((block) => block.tool_use_id === `toolu_${id}`)?.content;
  const step = next({ tools, resultOf });
  const block = step.call
    ? { type: "tool_use", id: `toolu_${step.call.id}`, name: step.call.name, input: {} }
    : { type: "text", text: "" };
  const delta = step.call
    ? { type: "input_json_delta", partial_json: JSON.stringify(step.call.args) }
    : { type: "text_delta", text: step.text };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: asked.model };
  const started = { ...message, content: [], stop_reason: null, usage };
  const stop = step.call ? "tool_use" : "end_turn";
  const list = [
    { type: "message_start", message: started },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  return events(
    response,
    list.map((data) => ({ event: data.type, data })),
  );
}

/** OpenAI: `/v1/responses`, streamed; a tool may be in the namespace of its server. */
export function openai(url, asked, { response, next }) {
  if (!url.includes("/responses")) return json(response, { data: [], models: [] });
  const tools = (asked.tools ?? []).flatMap(({ type, name, tools: inner = [] }) => {
    return type === "namespace" ? inner.map((tool) => `${name}${tool.name}`) : [name];
  });
  const spaces = (asked.tools ?? []).filter(({ type }) => type === "namespace");
  const items = Array.isArray(asked.input) ? asked.input : [];
  const resultOf = ({ id }) =>
    items.find(({ type, call_id }) => type === "function_call_output" && call_id === id)?.output;
  const step = next({ tools: tools.filter((name) => name !== undefined), resultOf });
  const space = spaces.find(({ name }) => step.call?.name.startsWith(name))?.name;
  const item = step.call
    ? {
        type: "function_call",
        id: `fc_${step.call.id}`,
        call_id: step.call.id,
        name: space ? step.call.name.slice(space.length) : step.call.name,
        ...(space ? { namespace: space } : {}),
        arguments: JSON.stringify(step.call.args),
      }
    : {
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text: step.text, annotations: [] }],
      };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const done = { id: "resp_1", object: "response", status: "completed", output: [item], usage };
  const list = [
    { type: "response.created", response: { ...done, status: "in_progress", output: [] } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: done },
  ];
  return events(
    response,
    list.map((data) => ({ event: data.type, data })),
  );
}

/** Qwen: `/v1/chat/completions`, streamed. It may hide tools of servers behind `tool_call`. */
export function chat(url, asked, { response, next }) {
  const offered = (asked.tools ?? []).map((tool) => tool.function.name);
  const isHidden = offered.includes("tool_call");
  const tools = isHidden ? ["mcp__pollux__search", "mcp__pollux__read"] : offered;
  const resultOf = ({ id }) =>
    asked.messages?.find(({ tool_call_id }) => tool_call_id === id)?.content;
  const step = next({ tools, resultOf });
  const { name, args } = step.call ?? {};
  const named = isHidden ? { name: "tool_call", args: { name, arguments: args } } : { name, args };
  const delta = step.call
    ? {
        role: "assistant",
        tool_calls: [
          {
            index: 0,
            id: step.call.id,
            type: "function",
            function: { name: named.name, arguments: JSON.stringify(named.args) },
          },
        ],
      }
    : { role: "assistant", content: step.text };
  const head = { id: "chat_1", object: "chat.completion.chunk", created: 1, model: asked.model };
  const finish = step.call ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  if (asked.stream !== true) {
    const choice = { index: 0, message: delta, finish_reason: finish };
    return json(response, { ...head, object: "chat.completion", choices: [choice], usage });
  }
  const list = [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
  ];
  return events(
    response,
    list.map((data) => ({ data })),
  );
}

/** The text of a result, at any depth. */
function textIn(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textIn).join("");
  if (typeof value !== "object" || value === null) return "";
  return textIn(value.text ?? value.output ?? value.content ?? Object.values(value));
}
