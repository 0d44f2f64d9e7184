// Converts the requests of four API dialects to one form, and checks that a conversation is
// complete in it.

/** Parts in order: `{who, kind, text?, id?, name?, args?, data?}`. */
export const dialects = {
  anthropic: (body) =>
    (body.messages ?? []).flatMap(({ role, content }) => {
      return listOf(content).flatMap((block) => anthropicPart(whoIs(role), block));
    }),
  responses: (body) => (body.input ?? []).flatMap(responsesPart),
  gemini: (body) =>
    (body.contents ?? []).flatMap(({ role, parts }) => {
      return parts.flatMap((part) => geminiPart(whoIs(role), part));
    }),
  chat: (body) => (body.messages ?? []).flatMap(chatPart),
};

function whoIs(role) {
  return role === "assistant" || role === "model" ? "model" : role === "user" ? "user" : "system";
}

function listOf(content) {
  if (content === null || content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function anthropicPart(who, block) {
  if (block.type === "text") return [{ who, kind: "text", text: block.text }];
  if (block.type === "image") return [{ who, kind: "picture", data: block.source.data }];
  if (block.type === "tool_use") {
    return [{ who, kind: "call", id: block.id, name: block.name, args: block.input }];
  }
  if (block.type !== "tool_result") return [{ who, kind: block.type }];
  const inner = listOf(block.content);
  const text = inner.map((part) => part.text ?? "").join("\n");
  const pictures = inner.filter(({ type }) => type === "image");
  return [
    { who, kind: "result", id: block.tool_use_id, text },
    ...pictures.map(({ source }) => ({ who, kind: "picture", data: source.data })),
  ];
}

function responsesPart(item) {
  const { type = "message", role, call_id: id } = item;
  if (type === "message") {
    return listOf(item.content).map((part) => contentPart(whoIs(role), part));
  }
  if (type === "function_call") {
    return [{ who: "model", kind: "call", id, name: item.name, args: JSON.parse(item.arguments) }];
  }
  if (type === "custom_tool_call") {
    return [{ who: "model", kind: "call", id, name: item.name, args: item.input }];
  }
  if (!type.endsWith("_output")) return [{ who: "system", kind: type }];
  const inner = listOf(item.output).map((part) => contentPart("user", part));
  const text = inner.map((part) => part.text ?? "").join("\n");
  return [{ who: "user", kind: "result", id, text }, ...inner.filter((part) => part.data)];
}

function contentPart(who, part) {
  const url = typeof part.image_url === "string" ? part.image_url : part.image_url?.url;
  if (url !== undefined) return { who, kind: "picture", data: url.replace(/^[^,]*,/, "") };
  return { who, kind: "text", text: part.text ?? "" };
}

function geminiPart(who, part) {
  const { functionCall: call, functionResponse: response, inlineData } = part;
  if (call) return [{ who, kind: "call", id: call.id, name: call.name, args: call.args }];
  if (inlineData) return [{ who, kind: "picture", data: inlineData.data }];
  if (!response) return [{ who, kind: "text", text: part.text ?? "" }];
  const { output, error } = response.response;
  const text = String(output ?? error ?? "");
  const inner = (response.parts ?? []).flatMap((inside) => geminiPart(who, inside));
  return [{ who, kind: "result", id: response.id, name: response.name, text }, ...inner];
}

function chatPart({ role, content, tool_calls: calls = [], tool_call_id: id }) {
  const parts = listOf(content).map((part) => contentPart(whoIs(role), part));
  if (role === "tool") {
    const text = parts.map((part) => part.text ?? "").join("\n");
    return [{ who: "user", kind: "result", id, text }, ...parts.filter((part) => part.data)];
  }
  return [
    ...parts.filter((part) => part.text !== ""),
    ...calls.map(({ id: call, function: { name, arguments: args } }) => {
      return { who: "model", kind: "call", id: call, name, args: JSON.parse(args) };
    }),
  ];
}

/** The first part of a conversation that is missing in a request, or not in order. */
export function missingIn(parts, items) {
  const place = { at: 0, from: 0 };
  for (const item of items) {
    const begin = place.at;
    for (const wanted of wantedOf(item)) if (!isFound(parts, wanted, place)) return wanted;
    // Pictures of a prompt are beside its text; those of a result with it or right after it.
    const shown = parts
      .slice(begin)
      .filter(({ who, kind }) => who === "user" && kind === "picture");
    const missing = picturesOf(item).find(({ data }) =>
      shown.every((picture) => picture.data !== data),
    );
    if (missing) return { kind: "picture", data: missing.data };
  }
  return undefined;
}

function wantedOf(item) {
  const text = { who: item.kind === "answer" ? "model" : "user", kind: "text", text: item.text };
  const calls = item.calls ?? [];
  return [
    ...(item.text.trim() === "" ? [] : [text]),
    ...calls.map(({ name, args }) => ({ who: "model", kind: "call", name, args })),
    ...calls.map(({ output }) => ({ who: "user", kind: "result", text: output })),
  ];
}

function picturesOf({ pictures = [], calls = [] }) {
  return [...pictures, ...calls.flatMap((call) => call.pictures)];
}

/** Agents join texts and add their own; nothing may be missing or out of order. */
function isFound(parts, wanted, place) {
  for (; place.at < parts.length; place.at += 1, place.from = 0) {
    const part = parts[place.at];
    if (part.who !== wanted.who || part.kind !== wanted.kind) continue;
    if (wanted.kind === "call") {
      if (part.name !== wanted.name || canonical(part.args) !== canonical(wanted.args)) continue;
      place.at += 1;
      return true;
    }
    const at = plain(part.text).indexOf(plain(wanted.text), place.from);
    if (at === -1) continue;
    place.from = at + plain(wanted.text).length;
    return true;
  }
  return false;
}

function plain(text) {
  return text.replace(/\s+/g, " ").trim();
}

function canonical(value) {
  return JSON.stringify(value, (_key, inner) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
