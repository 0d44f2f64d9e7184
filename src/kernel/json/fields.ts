/**
 * The wanted fields of a record, as paths of keys joined with slashes. Keys may contain dots, but
 * neither slashes nor non-ASCII characters.
 *
 *     new Fields(["type", "message", "message/usage/input_tokens"])
 *
 * A list can be walked element by element, with separate wanted fields for its elements:
 *
 *     new Fields(["sessionId"], { messages: new Fields(["id", "tokens/input"]) })
 *
 * A field is read by its slot, which is looked up once. Slots are numbered in the order of the
 * paths: two `Fields` that begin with the same paths have the same slots for them.
 *
 *     const TYPE = RECORD.slot("type");   …   row.text(TYPE)
 */
export class Fields<Path extends string = string> {
  readonly #slots = new Map<string, number>();
  /** @internal */
  readonly keys: readonly WantedKey[];
  /** @internal In this form, wanted fields are passed to another thread. */
  readonly plain: PlainFields;

  constructor(paths: readonly Path[], lists: Readonly<Record<string, Fields>> = {}) {
    const plainLists = Object.entries(lists).map(([path, { plain }]) => [path, plain] as const);
    this.plain = { paths, lists: Object.fromEntries(plainLists) };
    const root: WantedKey = newKey("");
    for (const path of paths) want(root, path);
    for (const [path, fields] of Object.entries(lists)) want(root, path).list = fields;
    numberSlots(root, "", this.#slots);
    this.keys = root.inside;
  }

  /** @internal The first slot is the record itself. */
  get slots(): number {
    return this.#slots.size;
  }

  slot(path: Path): number {
    const slot = this.#slots.get(path);
    if (slot === undefined) throw new Error(`The field ${path} is not among the wanted ones.`);
    return slot;
  }
}

/** Wanted fields without their slots, which are the same in every thread. */
export interface PlainFields {
  paths: readonly string[];
  lists: Readonly<Record<string, PlainFields>>;
}

export function fieldsFrom({ paths, lists }: PlainFields): Fields {
  const inner = Object.entries(lists).map(([path, list]) => [path, fieldsFrom(list)] as const);
  return new Fields(paths, Object.fromEntries(inner));
}

/** The slot of the record itself; it always exists. */
export const WHOLE = 0;

interface WantedKey {
  key: string;
  slot: number;
  /** Number of slots: its own and those of all nested keys. */
  slots: number;
  inside: WantedKey[];
  list?: Fields;
}

function newKey(key: string): WantedKey {
  if (!/^[\x20-\x7e]*$/.test(key)) throw new Error(`The key ${key} is not ASCII.`);
  return { key, slot: 0, slots: 0, inside: [] };
}

function want(root: WantedKey, path: string): WantedKey {
  let wanted = root;
  for (const key of path.split("/")) {
    let next = wanted.inside.find((known) => known.key === key);
    if (!next) wanted.inside.push((next = newKey(key)));
    wanted = next;
  }
  return wanted;
}

/** The slots of nested keys follow the key's own, so that all of them can be cleared at once. */
function numberSlots(wanted: WantedKey, path: string, slots: Map<string, number>): void {
  wanted.slot = slots.size;
  slots.set(path, wanted.slot);
  for (const inner of wanted.inside) {
    numberSlots(inner, path === "" ? inner.key : `${path}/${inner.key}`, slots);
  }
  wanted.slots = slots.size - wanted.slot;
}

/** Functions of the compiled program (assembly/tables.ts) that register wanted fields. */
export interface FieldTables {
  // Not `WebAssembly.Global`: these types are published, and programs may not have that namespace.
  KEY: { readonly value: number };
  MAX_KEY_LENGTH: { readonly value: number };
  addFields(slots: number): number;
  levelOf(fields: number): number;
  addKey(level: number, length: number): number;
  setSlot(key: number, slot: number, slots: number): void;
  setList(key: number, list: number): void;
  addInside(key: number): number;
}

/** Writes wanted fields to the program's tables, and returns their address. */
export function writeFields(tables: FieldTables, fields: Fields, memory: Buffer): number {
  const keyAt = tables.KEY.value;
  const maxLength = tables.MAX_KEY_LENGTH.value;
  const writeKeys = (level: number, keys: readonly WantedKey[]): void => {
    for (const wanted of keys) {
      const { length } = wanted.key;
      if (length === 0 || length > maxLength) throw new Error(`The key ${wanted.key} is too long.`);
      memory.write(wanted.key, keyAt, "latin1");
      const key = claimed(tables.addKey(level, length));
      tables.setSlot(key, wanted.slot, wanted.slots);
      if (wanted.list) tables.setList(key, writeFields(tables, wanted.list, memory));
      if (wanted.inside.length > 0) writeKeys(claimed(tables.addInside(key)), wanted.inside);
    }
  };
  const at = claimed(tables.addFields(fields.slots));
  writeKeys(tables.levelOf(at), fields.keys);
  return at;
}

function claimed(at: number): number {
  if (at === 0) throw new Error("There are more wanted fields than room for them.");
  return at;
}
