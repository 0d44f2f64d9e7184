import { isUtf8 } from "node:buffer";
import type { TagDecoder } from "cborg";
import { decode, encode, Tagged, Token, Tokenizer, Type } from "cborg";

/** What CBOR (RFC 8949) can say, as far as signatures need it. Keys of maps may be of any kind. */
export type Cbor =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CborFloat
  | CborTag
  | Cbor[]
  | CborMap;
export type CborMap = Map<Cbor, Cbor>;

/** A floating-point number; plain numbers are always whole. */
export class CborFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export class CborTag extends Tagged {
  declare readonly tag: number;
  declare readonly value: Cbor;
}

export class CborFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CborFault";
  }
}

/**
 * One value as bytes: lengths definite, integers as short as can be. Members of a map are written
 * in the order they have, so the same map gives the same bytes.
 *
 *     Map {1 → -7} → a1 01 26
 */
export function encodeCbor(value: Cbor): Buffer {
  return Buffer.from(encode(value, ENCODING));
}

/** The first byte(s) of an item whose content follows: its kind, and its length or number. */
export function encodeHead(kind: number, argument: number): Buffer {
  // A whole number is a head of kind 0 and nothing else.
  const head = encodeCbor(argument);
  head[0] = (head[0] ?? 0) | (kind << 5);
  return head;
}

const ENCODING = {
  float64: true,
  mapSorter: () => 0,
  typeEncoders: {
    number(value: number) {
      if (Number.isSafeInteger(value)) return null;
      throw new RangeError("a plain number must be whole; fractions are CborFloat");
    },
    Object(value: object) {
      return value instanceof CborFloat ? [new Token(Type.float, value.value)] : null;
    },
  },
};

/**
 * Reads exactly one item, strictly: nothing may follow it, lengths must be definite, integers and
 * lengths as short as can be, texts UTF-8, keys of a map different. What is signed must not be
 * writable in two ways.
 */
export function decodeCbor(bytes: Uint8Array): Cbor {
  let value: Cbor;
  try {
    value = decode(bytes, { ...STRICT, tokenizer: new ItemTokenizer(bytes) }) as Cbor;
  } catch (error) {
    if (error instanceof CborFault) throw error;
    throw new CborFault(error instanceof Error ? error.message : String(error));
  }
  checkKeys(value);
  return value;
}

/** Every tag is kept as it is. */
const TAGS = new Proxy<Record<number, TagDecoder>>(
  {},
  {
    get: (_, tag) => (content: () => unknown) => {
      // Larger ones would be rounded: two texts would read as one value.
      if (!Number.isSafeInteger(Number(tag)))
        throw new CborFault("the number of a tag is too large");
      return new CborTag(Number(tag), content() as Cbor);
    },
  },
);

const STRICT = {
  strict: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowBigInt: true,
  retainStringBytes: true,
  rejectDuplicateMapKeys: true,
  useMaps: true,
  tags: TAGS,
};

const MAX_DEPTH = 64;
const NO_BYTES = new Uint8Array();

/** Keeps `1.0` apart from `1`; refuses texts that are not UTF-8, and items nested too deeply. */
class ItemTokenizer extends Tokenizer {
  /** How many items each open list, map or tag still waits for. */
  readonly #open: number[] = [];

  constructor(bytes: Uint8Array) {
    super(bytes, STRICT);
  }

  override next(): Token {
    const token = super.next();
    this.#count(token);
    if (token.type === Type.string && !isUtf8(token.byteValue ?? NO_BYTES)) {
      throw new CborFault("a text is not UTF-8");
    }
    if (token.type !== Type.float) return token;
    return new Token(token.type, new CborFloat(token.value as number), token.encodedLength);
  }

  #count({ type, value }: Token): void {
    const last = this.#open.length - 1;
    if (last >= 0) this.#open[last] = (this.#open[last] ?? 0) - 1;
    if (type === Type.array) this.#open.push(Number(value));
    else if (type === Type.map) this.#open.push(2 * Number(value));
    else if (type === Type.tag) this.#open.push(1);
    while (this.#open.at(-1) === 0) this.#open.pop();
    if (this.#open.length > MAX_DEPTH) throw new CborFault("items are nested too deeply");
  }
}

/** The library compares keys as JavaScript does; lists and bytes as keys are compared here. */
function checkKeys(value: Cbor): void {
  if (Array.isArray(value)) return value.forEach(checkKeys);
  if (value instanceof CborTag) return checkKeys(value.value);
  if (!(value instanceof Map)) return;
  const seen = new Set<string>();
  for (const [key, item] of value) {
    const name = encodeCbor(key).toString("latin1");
    if (seen.has(name)) throw new CborFault("a key stands twice in one map");
    seen.add(name);
    checkKeys(item);
  }
}
