import { resolve } from "node:path";

/**
 * Storage for compressed bytes outside of the database. Names are digests of the content, so every
 * call may be repeated.
 */
export interface ObjectStorage {
  /** The location as configured, without secrets. */
  readonly location: string;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Returns undefined if there is no such object. */
  get(name: string): Promise<Buffer | undefined>;
  /** Does nothing if there is no such object. */
  drop(name: string): Promise<void>;
}

/** External storage and the prefix of its names; several stores may share one location. */
export interface ExternalStorage {
  place: ObjectStorage;
  prefix: string;
}

const BUCKET = /^s3:\/\//;

/**
 * The location as stored in the database: a folder becomes absolute, so that it does not depend on
 * the server's working directory.
 */
export function placeName(given: string): string {
  return BUCKET.test(given) ? given.replace(/\/+$/, "") : resolve(given);
}

/** Opens `s3://bucket/prefix` or a folder. The S3 client is loaded only for a bucket. */
export async function openPlace(
  location: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStorage> {
  if (BUCKET.test(location)) return new (await import("./s3.ts")).S3Place(location, env);
  return new (await import("./folder.ts")).FolderPlace(location);
}

/**
 * Number of parallel requests: the storage may be remote, and requests in sequence would take long.
 */
const TOGETHER = 8;

/** Runs `work` on all items; returns the results in the order of the items. */
export async function forEach<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  for (let from = 0; from < items.length; from += TOGETHER) {
    answers.push(...(await Promise.all(items.slice(from, from + TOGETHER).map(work))));
  }
  return answers;
}
