import type { ByteSource } from "../kernel/bytes.ts";
import type { SyncLevel, TeamRole } from "../core/team/team.ts";
import type { UsageBuckets } from "../core/usage/usage-fact.ts";
import type { BucketKey, BucketQuery, SessionRef, Store } from "./store.ts";
import type { SentSegment } from "../core/team/sync-protocol.ts";

/**
 * A store shared by many people: the people, their permissions, and what their machines send. Each
 * person's rows and bytes form a separate store (`storeOf`) with the same queries.
 */
export interface Team {
  readonly location: string;
  /** Where file bytes are stored if not in the database. */
  readonly bytesPlace: string | null;
  readonly tenant: Tenant;
  /** One person's sessions, limited to what the viewer may see. */
  storeOf(viewer: Viewer, how?: Pick<Store, "mode">): Store;
  /** Bytes sent by a person's machines, stored by digest. */
  segmentsOf(person: number): SegmentStore;
  readonly people: People;
  readonly devices: Devices;
  readonly looks: AuditLog;
  readonly openings: Shares;
  readonly sums: Sums;
  /** Changes when something was lost; devices then offer everything again. */
  epoch(): Promise<string>;
  newEpoch(): Promise<void>;
  /** Rules for devices, set by an administrator. */
  policy(): Promise<TeamPolicy>;
  setPolicy(policy: TeamPolicy): Promise<void>;
  /** Removes every row and byte of a person; returns the number of removed rows by table. */
  eraseRows(person: number): Promise<Record<string, number>>;
  /**
   * Warnings for the server's administrator, e.g. what a failure would lose and which database
   * roles bypass access rules.
   */
  remarks(): Promise<string[]>;
  close(): Promise<void>;
}

export interface Tenant {
  id: string;
  name: string;
}

/** Who is viewing, and whose sessions. */
export interface Viewer {
  viewer: number;
  role: TeamRole;
  /**
   * The owner of the sessions; the viewer by default. Of other people, only opened sessions are
   * visible.
   */
  person?: number;
  /** The id of an auditor's recorded look at one session. */
  look?: number;
}

export interface TeamPolicy {
  /** What machines send: the maximum, and the default. */
  level: SyncLevel;
  /** Whether a person may send less than `level`. */
  mayLower: boolean;
  /** Secrets are masked before bytes leave a machine. */
  masked: boolean;
  /** Sums over fewer people are not shown. */
  smallestGroup: number;
  /** Days after which sessions are removed; absent: never. */
  retentionDays?: number;
  /** Days after which conversations are removed; the rows of level `outline` stay. */
  conversationDays?: number;
  /** Days after which the records of accesses and of erasures are removed. */
  auditDays?: number;
}

export interface Person {
  id: number;
  /** The user id at the sign-in provider. */
  subject: string;
  name: string;
  roles: TeamRole[];
  /** Names of the person's current teams. */
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
  /** Makes the person a member of exactly these teams; creates missing teams. */
  setTeams(person: number, teams: readonly string[], nowMs: number): Promise<void>;
  /** `team`: for a lead, the team whose sums they may see. */
  grant(person: number, role: TeamRole, team?: string): Promise<void>;
  revoke(person: number, role: TeamRole): Promise<void>;
  /** Marks a person as having left: their devices may no longer send, and the name is hidden. */
  leave(person: number, nowMs: number): Promise<void>;
  /** The opposite of `leave`; their devices have to be enrolled again. */
  comeBack(person: number): Promise<void>;
  /**
   * Destroys the person's key, so that data sealed with it is unreadable. Returns false if there is
   * none.
   */
  destroyKey(person: number): Promise<boolean>;
  /**
   * Removes the remaining rows of a person without sessions; returns the number of removed rows.
   */
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

/** Enrolled devices. Secrets are stored as digests only. */
export interface Devices {
  of(person: number): Promise<Device[]>;
  list(): Promise<Device[]>;
  /** Adds a code that can enrol one device, once. */
  addCode(code: { digest: Uint8Array; person: number; expiresMs: number }): Promise<void>;
  /** Returns undefined if the code is unknown, used or expired. */
  enrol(asked: {
    code: Uint8Array;
    token: Uint8Array;
    id: string;
    name: string;
    nowMs: number;
    expiresMs: number;
  }): Promise<Device | undefined>;
  /** The device of a token; undefined if the token is unknown, revoked or expired. */
  byToken(token: Uint8Array, nowMs: number): Promise<Device | undefined>;
  revoke(id: string, person: number, nowMs: number): Promise<boolean>;
}

/** A session that its owner has shared with others. */
export interface Share {
  source: string;
  sessionId: string;
  /** The team that may see it; `null`: everyone who shares the store. */
  team: string | null;
  atMs: number;
}

/** A person who has shared some sessions with the viewer. */
export interface Owner {
  id: number;
  subject: string;
  name: string;
  /** Number of sessions that they have opened. */
  opened: number;
}

export interface Shares {
  /** Sessions that a person has opened, newest first. */
  of(person: number): Promise<Share[]>;
  /** Opens sessions, or changes who may see them. */
  open(person: number, opening: NewOpening): Promise<void>;
  /** Returns the number of sessions that were closed. */
  close(person: number, sessions: readonly SessionRef[]): Promise<number>;
  /** People who have opened sessions to this viewer, sorted by name. */
  owners(viewer: number): Promise<Owner[]>;
}

export interface NewOpening {
  sessions: readonly SessionRef[];
  /** The name of a team; absent: everyone who shares the store. */
  team?: string;
  atMs: number;
}

/** An auditor's recorded look at another person's session. */
export interface AuditAccess {
  id: number;
  atMs: number;
  /** The auditor's name; empty if it was the database administrator. */
  viewer: string;
  person: number;
  source: string;
  /** Empty if it was a look at all sessions. */
  sessionId: string;
  reason: string;
}

export interface Receipt {
  id: number;
  atMs: number;
  kind: "erasure" | "retention";
  /** Who did it; `null` for the daily job. */
  by: string | null;
  counts: Readonly<Record<string, number>>;
}

/** The audit log of auditors and administrators. */
export interface AuditLog {
  add(look: NewLook): Promise<number>;
  /** Looks at one person's sessions. */
  at(person: number): Promise<AuditAccess[]>;
  addReceipt(receipt: NewReceipt): Promise<number>;
  receipts(): Promise<Receipt[]>;
  /** Removes records that are older; returns how many. */
  removeBefore(atMs: number): Promise<number>;
}

interface NewReceipt extends Omit<Receipt, "id" | "by"> {
  by: number | null;
  /** Whose sessions were removed. */
  person: number;
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

/**
 * A usage query over many people. The key of the group `team` is a JSON list of all teams that the
 * person was in at the time.
 */
export interface TeamUsageQuery extends Omit<BucketQuery, "by" | "scope"> {
  by: readonly (BucketKey | "person" | "team")[];
  /**
   * Only sums of this team, for the time of each person's membership. The `people` of the answer
   * ignore this filter, so that the caller can see which groups a difference would reveal.
   */
  team?: string;
}

/** Sums over people, without any session text. */
export interface Sums {
  usage(viewer: Viewer, query: TeamUsageQuery): Promise<TeamUsage>;
}

export interface TeamUsage extends UsageBuckets {
  /** The people behind each group, by its group keys. */
  people: { groups: readonly string[]; people: number[] }[];
}

/** One person's bytes, stored by digest. Calls may be repeated and come in any order. */
export interface SegmentStore {
  missing(digests: readonly string[]): Promise<string[]>;
  /**
   * Stores a segment, compressed as in the archive; rejects bytes that do not match their digest.
   */
  put(segment: SentSegment): Promise<void>;
  /**
   * Opens segments as one file; undefined if one is missing. They are held in memory compressed.
   */
  open(path: string, digests: readonly string[]): Promise<ByteSource | undefined>;
}
