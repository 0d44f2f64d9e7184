/**
 * The supported part of CDDL (RFC 8610). Anything else is rejected when a schema is compiled, never
 * ignored while matching.
 */
export interface Rule {
  name: string;
  /** A rule names a type or a group; its text decides which. */
  body: { kind: "type"; type: Type } | { kind: "group"; group: Group };
  at: Position;
}

export interface Position {
  line: number;
  column: number;
}

export type Type =
  | { kind: "choice"; options: Type[] }
  | { kind: "literal"; value: bigint | number | string | Uint8Array }
  | { kind: "range"; from: bigint; to: bigint }
  | { kind: "control"; name: ControlName; target: Type; argument: Type }
  | { kind: "name"; name: string; at: Position }
  | { kind: "map"; group: Group }
  | { kind: "list"; group: Group }
  | { kind: "tag"; tag: number; type: Type };

export const CONTROLS = ["regexp", "size", "cbor", "lt", "le", "gt", "ge"] as const;
export type ControlName = (typeof CONTROLS)[number];

/** Alternatives (`//`), each a sequence of entries. */
export interface Group {
  options: GroupEntry[][];
}

export type GroupEntry = { times: Times; at: Position } & (
  | { kind: "member"; key?: MemberKey; type: Type }
  | { kind: "group"; group: Group }
);

export interface MemberKey {
  type: Type;
  /** Once the key matches, no later entry may match the member; its value must match, too. */
  isCut: boolean;
}

export interface Times {
  least: number;
  most: number;
}

/** An invalid or unsupported schema, with its position. */
export class CddlFault extends Error {
  readonly at: Position;

  constructor(at: Position, message: string) {
    super(`line ${at.line}, column ${at.column}: ${message}`);
    this.name = "CddlFault";
    this.at = at;
  }
}
