/** What CBOR (RFC 8949) can say, as far as signatures need it. Keys of maps may be of any kind. */
export type Cbor =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CborFloat
  | CborSimple
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

/** `undefined` and the values that nobody has assigned yet. */
export class CborSimple {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

export class CborTag {
  readonly tag: number;
  readonly value: Cbor;

  constructor(tag: number, value: Cbor) {
    this.tag = tag;
    this.value = value;
  }
}

export class CborFault extends Error {
  /** Byte at which it was found. */
  readonly at: number;

  constructor(at: number, message: string) {
    super(`${message} (at byte ${at})`);
    this.name = "CborFault";
    this.at = at;
  }
}
