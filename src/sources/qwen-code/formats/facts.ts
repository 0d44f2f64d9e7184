import { instantOf } from "../../../core/instant.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject } from "../../decoding/fields.ts";
import type { WrittenBy } from "../../source.ts";
import type { RecordFacts } from "../content.ts";

/** Facts about the file in one record. */
export interface RecordFileFacts {
  sessionId?: string | undefined;
  forkedFrom?: string | undefined;
  agentId?: string | undefined;
  agentName?: string | undefined;
  branch?: string | undefined;
  directory?: string | undefined;
  version?: string | undefined;
}

export function fileFactsOf(record: Json): RecordFileFacts {
  return {
    sessionId: asName(record["sessionId"]),
    forkedFrom: asName(asObject(record["forkedFrom"])?.["sessionId"]),
    agentId: asName(record["agentId"]),
    agentName: asName(record["agentName"]),
    branch: asName(record["gitBranch"]),
    directory: asName(record["cwd"]),
    version: asName(record["version"]),
  };
}

/** Whether a version is older than 0.MINOR; false for an unknown one. */
export function isBefore(version: string | undefined, minor: number): boolean {
  const own = minorOf(version);
  return own !== undefined && own < minor;
}

function minorOf(version: string | undefined): number | undefined {
  const minor = /^0\.(\d+)\./.exec(version ?? "")?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** A session has few directories; each record is compared with all of them. */
const MAX_DIRECTORIES = 100;

/** Collects the facts about a file from its records. */
export class FactsOfRecords {
  readonly facts: RecordFacts = { directories: [] };
  #version: string | undefined;
  #minor: number | undefined;

  /** The format generation of the newest version that wrote to this file. */
  get generation(): string {
    if (this.#minor === undefined) return "unknown";
    if (this.#minor < 15) return "0.4–0.14";
    return this.#minor < 18 ? "0.15–0.17" : "0.18+";
  }

  add(at: string | undefined, about: RecordFileFacts): void {
    const { facts } = this;
    facts.sessionId ??= about.sessionId;
    facts.forkedFrom ??= about.forkedFrom;
    facts.agentId ??= about.agentId;
    facts.agentName ??= about.agentName;
    if (about.branch !== undefined) facts.branch = about.branch;
    if (at !== undefined) {
      // Copies in a fork have the times of the original session.
      if (about.forkedFrom === undefined) facts.firstAt ??= at;
      facts.lastAt = at;
    }
    this.#addDirectory(about.directory);
    if (about.version !== undefined && about.version !== this.#version) {
      this.#version = about.version;
      const minor = minorOf(about.version);
      if (minor !== undefined) this.#minor = Math.max(this.#minor ?? 0, minor);
    }
  }

  #addDirectory(directory: string | undefined): void {
    const { directories } = this.facts;
    if (directory === undefined || directories.length >= MAX_DIRECTORIES) return;
    if (!directories.includes(directory)) directories.push(directory);
  }
}

/**
 * Limits reading to what had been written by a time: records are appended, so it stops at the first
 * later one.
 */
export class Until {
  isOver = false;
  readonly #limit: WrittenBy | undefined;

  constructor(limit: WrittenBy | undefined) {
    this.#limit = limit;
  }

  includes(at: string | undefined, end: number): boolean {
    if (!this.#limit || this.isOver || end <= this.#limit.sureBytes) return !this.isOver;
    this.isOver = at !== undefined && instantOf(at) > this.#limit.atMs;
    return !this.isOver;
  }
}
