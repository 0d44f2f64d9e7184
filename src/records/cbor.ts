import { isUtf8 } from "node:buffer";
import type { TagDecoder } from "cborg";
import { decode, encode, Tagged, Token, Tokenizer, Type } from "cborg";

/** The subset of CBOR (RFC 8949) that signatures need. Map keys may have any type. */
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

/** A floating-point number; plain numbers are always integers. */
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
 * Encodes one value: definite lengths, shortest integers. Map entries keep their order, so the same
 * map always gives the same bytes.
 *
 *     Map {1 → -7} → a1 01 26
 */
export function encodeCbor(value: Cbor): Buffer {
  return Buffer.from(encode(value, ENCODING));
}

/** The first bytes of an item whose content follows: its major type, and its length or number. */
export function encodeHead(kind: number, argument: number): Buffer {
  // The encoding of an unsigned integer is just a head of type 0.
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
 * Decodes exactly one item, strictly: no trailing bytes, definite lengths, shortest integers and
 * lengths, valid UTF-8, no duplicate keys. Signed data must have only one encoding.
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

/** Keeps every tag uninterpreted. */
const TAGS = new Proxy<Record<number, TagDecoder>>(
  {},
  {
    get: (_, tag) => (content: () => unknown) => {
      // Larger numbers would be rounded, so two encodings would decode to the same value.
      if (!Number.isSafeInteger(Number(tag)))
        throw new CborFault("the number of a tag is too large");
      return new CborTag(Number(tag), content());
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

/** Distinguishes `1.0` from `1`; rejects invalid UTF-8 and items nested too deeply. */
class ItemTokenizer extends Tokenizer {
  /** Number of items that each open list, map or tag still expects. */
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

/** The library compares keys by identity, so lists and bytes as keys are compared here. */
function checkKeys(value: Cbor): void {
  if (Array.isArray(value)) return value.forEach(checkKeys);
  if (value instanceof CborTag) return checkKeys(value.value);
  if (!(value instanceof Map)) return;
  const seen = new Set<string>();
  for (const [key, item] of value) {
    const name = encodeCbor(key).toString("latin1");
    if (seen.has(name)) throw new CborFault("a key occurs twice in one map");
    seen.add(name);
    checkKeys(item);
  }
}
