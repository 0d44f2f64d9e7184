import type { ByteSource } from "../kernel/bytes.ts";
import type { SyncLevel, TeamRole } from "../core/team.ts";
import type { UsageBuckets } from "../core/usage-fact.ts";
import type { BucketKey, BucketQuery, SessionRef, Store } from "./store.ts";

/**
 * A store that many people share: who they are, what they may, and what their machines send. The
 * rows and bytes of each person are a store of their own (`storeOf`), with the same questions.
 */
export interface Team {
  readonly location: string;
  /** Where bytes lie when they are not in the database. */
  readonly bytesPlace: string | null;
  readonly tenant: Tenant;
  /** The sessions of one person, as far as the viewer may see them. */
  storeOf(viewer: Viewer, how?: Pick<Store, "mode">): Store;
  /** Bytes that machines of a person send, by their digests. */
  segmentsOf(person: number): SegmentStore;
  readonly people: People;
  readonly devices: Devices;
  readonly looks: Looks;
  readonly openings: Openings;
  readonly sums: Sums;
  /** What devices may and must do, as an administrator wrote it. */
  policy(): Promise<TeamPolicy>;
  setPolicy(policy: TeamPolicy): Promise<void>;
  /** Removes every row and byte of a person; says how many rows of which table. */
  eraseRows(person: number): Promise<Record<string, number>>;
  /** What whoever looks after the server should know: what is lost when it breaks, who sees all. */
  remarks(): Promise<string[]>;
  close(): Promise<void>;
}

export interface Tenant {
  id: string;
  name: string;
  /** Another one when the store was restored: devices then offer everything again. */
  epoch: string;
}

/** Who looks, and at whose sessions. */
export interface Viewer {
  viewer: number;
  role: TeamRole;
  /** Whose sessions: the viewer's own unless told otherwise; of others, those they opened. */
  person?: number;
  /** An auditor's recorded look at one session. */
  look?: number;
}

export interface TeamPolicy {
  /** What machines send at most, and unless their person says less. */
  level: SyncLevel;
  /** Whether a person may send less than `level`. */
  mayLower: boolean;
  /** Secrets are masked before bytes leave a machine. */
  masked: boolean;
  /** Sums of fewer people are not told. */
  smallestGroup: number;
  /** Days after which sessions are removed; for ever when it is not there. */
  retentionDays?: number;
}

export interface Person {
  id: number;
  /** What the sign-in calls them. */
  subject: string;
  name: string;
  roles: TeamRole[];
  /** Names of their teams at the moment. */
  teams: string[];
  leftMs?: number;
}

export interface People {
  list(): Promise<Person[]>;
  /** Names of the teams that a person leads. */
  led(person: number): Promise<string[]>;
  find(subject: string): Promise<Person | undefined>;
  /** Adds a person, or changes the name. */
  put(person: { subject: string; name: string }): Promise<Person>;
  /** In these teams from now on, and in no others; teams are made as they are named. */
  setTeams(person: number, teams: readonly string[], nowMs: number): Promise<void>;
  /** `team`: of a lead, the team whose sums are told. */
  grant(person: number, role: TeamRole, team?: string): Promise<void>;
  revoke(person: number, role: TeamRole): Promise<void>;
  /** Has left: devices no longer send, the name is no longer told. */
  leave(person: number, nowMs: number): Promise<void>;
  /** Whatever was sealed with it can never be read again. False when there is none. */
  destroyKey(person: number): Promise<boolean>;
  /** Removes the rest of a person of whom no session is left; says what was removed. */
  erase(person: number): Promise<number>;
}

export interface Device {
  id: string;
  person: number;
  name: string;
  madeMs: number;
  expiresMs: number;
  seenMs?: number;
  revokedMs?: number;
}

/** Secrets are kept as digests alone. */
export interface Devices {
  of(person: number): Promise<Device[]>;
  list(): Promise<Device[]>;
  /** A code that can be turned into a device, once. */
  addCode(code: { digest: Uint8Array; person: number; expiresMs: number }): Promise<void>;
  /** Nothing when there is no such code, or it is used or too old. */
  enrol(asked: {
    code: Uint8Array;
    token: Uint8Array;
    id: string;
    name: string;
    nowMs: number;
    expiresMs: number;
  }): Promise<Device | undefined>;
  /** Whose token it is; nothing when it is unknown, revoked or too old. */
  byToken(token: Uint8Array, nowMs: number): Promise<Device | undefined>;
  revoke(id: string, person: number, nowMs: number): Promise<boolean>;
}

/** A session that its person shows to others. */
export interface Opening {
  source: string;
  sessionId: string;
  /** The team that may see it; nothing when all may who share the store. */
  team: string | null;
  atMs: number;
}

/** Somebody whose sessions a viewer may see: some of them. */
export interface Owner {
  id: number;
  subject: string;
  name: string;
  /** How many sessions they have opened. */
  opened: number;
}

export interface Openings {
  /** What a person has opened, the newest first. */
  of(person: number): Promise<Opening[]>;
  /** Opens sessions, or opens them to others than before. */
  open(person: number, opening: NewOpening): Promise<void>;
  /** Says how many sessions were closed. */
  close(person: number, sessions: readonly SessionRef[]): Promise<number>;
  /** Who has opened anything to this viewer, by name. */
  owners(viewer: number): Promise<Owner[]>;
}

export interface NewOpening {
  sessions: readonly SessionRef[];
  /** The name of a team; everybody without one. */
  team?: string;
  atMs: number;
}

/** A look of an auditor at one session of somebody. */
export interface Look {
  id: number;
  atMs: number;
  /** Nobody's name when it was whoever looks after the database. */
  viewer: string;
  person: number;
  source: string;
  /** Nothing when it was a look at all of them. */
  sessionId: string;
  reason: string;
}

export interface Receipt {
  id: number;
  atMs: number;
  kind: "erasure" | "retention";
  /** By whom; nobody for what is done every day. */
  by: string | null;
  counts: Readonly<Record<string, number>>;
}

/** What is recorded of those who look after the team. */
export interface Looks {
  add(look: NewLook): Promise<number>;
  /** Of one person: who looked at their sessions. */
  at(person: number): Promise<Look[]>;
  addReceipt(receipt: Omit<Receipt, "id" | "by"> & { by: number | null }): Promise<number>;
  receipts(): Promise<Receipt[]>;
}

export interface NewLook {
  viewer: number;
  person: number;
  source: string;
  sessionId: string;
  reason: string;
  atMs: number;
  untilMs: number;
}

/** A question about the usage of many; `team` counts a person in each of theirs. */
export interface TeamUsageQuery extends Omit<BucketQuery, "by" | "scope"> {
  by: readonly (BucketKey | "person" | "team")[];
  /** Sums of this team alone, for as long as its people were in it; people are told of all. */
  team?: string;
}

/** Sums over people, without anything that was said. */
export interface Sums {
  usage(viewer: Viewer, query: TeamUsageQuery): Promise<TeamUsage>;
}

export interface TeamUsage extends UsageBuckets {
  /** Whose usage each group is, by the keys of all of its groups. */
  people: { groups: readonly string[]; people: number[] }[];
}

/** Bytes under their digests, of one person. Correct however often and in whatever order. */
export interface SegmentStore {
  missing(digests: readonly string[]): Promise<string[]>;
  /** Packed, as the archive packs them; refuses bytes that are not their digest. */
  put(segment: { digest: string; codec: string; stored: Uint8Array }): Promise<void>;
  /** One after the other, as a file; nothing when one is not there. Held as they are packed. */
  open(path: string, digests: readonly string[]): Promise<ByteSource | undefined>;
}
