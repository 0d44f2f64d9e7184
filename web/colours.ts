/**
 * One colour for each model, project and agent, the same in every chart and period. A new name gets
 * a colour by its hash, or the next free one, and keeps it in this browser.
 */
export type Coloured = "model" | "project" | "agent";

const PLACE = "pollux-colours";
/** Number of colours in the style sheet: `s1` to `s12`. */
const COLOURS = 12;
/** Grey, for the sum of several. */
export const REST_COLOUR = 0;

const taken = new Map<string, number>(remembered());

function remembered(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isTaken) : [];
  } catch {
    // Invalid data: assign colours anew.
    return [];
  }
}

function isTaken(item: unknown): item is [string, number] {
  return Array.isArray(item) && typeof item[0] === "string" && Number.isInteger(item[1]);
}

/** Index of the colour; its class is `s3` for 3. */
export function colourOf(kind: Coloured, name: string): number {
  const key = `${kind} ${name}`;
  const known = taken.get(key);
  if (known !== undefined) return known;
  const colour = freeColour(kind, name);
  taken.set(key, colour);
  window.localStorage.setItem(PLACE, JSON.stringify([...taken]));
  return colour;
}

function freeColour(kind: Coloured, name: string): number {
  const used = new Set([...taken].flatMap(([key, at]) => (key.startsWith(`${kind} `) ? [at] : [])));
  const wanted = hash(name) % COLOURS;
  const order = Array.from({ length: COLOURS }, (_, at) => ((wanted + at) % COLOURS) + 1);
  return order.find((colour) => !used.has(colour)) ?? wanted + 1;
}

function hash(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum;
}
