// Node 20 gives every object literal with a spread and further fields, `{ ...file, keys }`, its own
// hidden class: it takes twelve times as long to create and 380 bytes more, and code that reads it
// is optimised badly. The build replaces such literals by calls (docs/benchmark.md has the gain).
// Remove this with Node 20.
import { parseAst } from "rolldown/parseAst";

/** The helper; like a spread, it copies a field named `__proto__` as an ordinary field. */
const JOIN = `
function $join(target, ...sources) {
  for (const source of sources) {
    if (source == null || !Object.hasOwn(source, "__proto__")) Object.assign(target, source);
    else Object.defineProperties(target, Object.getOwnPropertyDescriptors({ ...source }));
  }
  return target;
}`;

/** Plugin for the bundler. */
export const joinSpreads = {
  name: "join-spreads",
  renderChunk: (code) => withJoins(code),
};

/** Replaces `{ ...a, b }` by `$join({}, a, { b })`. */
export function withJoins(code) {
  const edits = [];
  visit(parseAst(code), (node) => {
    if (isSlow(node)) edits.push(...editsOf(node));
  });
  if (edits.length === 0) return code;
  let joined = code;
  // From the end, so that earlier offsets stay valid.
  for (const { from, to, text } of edits.toSorted((a, b) => b.from - a.from)) {
    joined = joined.slice(0, from) + text + joined.slice(to);
  }
  return joined + JOIN;
}

function visit(node, enter) {
  if (node === null || typeof node !== "object") return;
  if (typeof node.type === "string") enter(node);
  for (const child of Object.values(node)) visit(child, enter);
}

/** A literal that begins with a spread and has further fields. */
function isSlow({ type, properties }) {
  return (
    type === "ObjectExpression" &&
    properties.length > 1 &&
    properties[0].type === "SpreadElement" &&
    properties.every((property) => property.type === "SpreadElement" || isPlain(property))
  );
}

/** `Object.assign` would not copy accessors or a prototype. */
function isPlain({ kind, key }) {
  return kind === "init" && (key.name ?? key.value) !== "__proto__";
}

function editsOf({ start, end, properties }) {
  const edits = [];
  let isOpen = false;
  let at = start;
  for (const property of properties) {
    const isSpread = property.type === "SpreadElement";
    const before = at === start ? " $join({}," : ",";
    if (isSpread) {
      edits.push({ from: at, to: property.start + 3, text: `${isOpen ? "}" : ""}${before}` });
    } else if (!isOpen) edits.push({ from: at, to: property.start, text: ",{" });
    isOpen = !isSpread;
    at = property.end;
  }
  edits.push({ from: at, to: end, text: isOpen ? "})" : ")" });
  return edits;
}
