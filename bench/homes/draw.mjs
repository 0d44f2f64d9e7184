// Pseudo-random numbers, texts and times, the same for the same seed.

const SAID = 'read every line of the log: größe, 長さ, café, "quoted", C:\\a\\b, const x;\n';
const WORDS = SAID.split(" ");

/** The random source of all generators; `small` sessions have one prompt and short texts. */
export function newRandom(seed, size = "usual") {
  const draw = drawer(seed);
  const longest = size === "small" ? 60 : Number.POSITIVE_INFINITY;
  const paper = text(draw, 60_000);
  const random = {
    draw,
    /** An integer, both ends included. */
    between: (low, high) => low + Math.floor(draw() * (high - low + 1)),
    pick: (items) => items[Math.floor(draw() * items.length)],
    /** A random piece of text. */
    piece(low, high) {
      const length = Math.min(longest, random.between(low, high));
      const from = random.between(0, paper.length - length);
      return paper.slice(from, from + length);
    },
    /** A clock that starts on a random day of the year and advances with every call. */
    clock() {
      let now = Date.UTC(2026, 0, 1) + random.between(0, 250) * 86_400_000;
      return () => new Date((now += random.between(900, 60_000))).toISOString();
    },
    project: () => `/projects/project-${random.between(0, 11)}`,
    uuid: () => uuid(random),
    /** Output of a tool: mostly short, sometimes very long. */
    printed: () => random.piece(50, draw() < 0.1 ? 40_000 : 6000),
    turns: () => (size === "small" ? 1 : Math.ceil(Math.exp(draw() * 3))),
  };
  return random;
}

/** Numbers from 0 to 1 (mulberry32). */
function drawer(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function text(draw, length) {
  let written = "";
  while (written.length < length) written += `${WORDS[Math.floor(draw() * WORDS.length)]} `;
  return written;
}

function uuid({ between }) {
  const hex = (length) => Array.from({ length }, () => between(0, 15).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

export function toLines(records) {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
