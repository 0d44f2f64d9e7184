import { resolve } from "node:path";

/**
 * Where packed bytes lie when they are not to fill a database. Names are digests of what they hold,
 * so that everything may be said twice.
 */
export interface BytePlace {
  /** As it was named, without secrets. */
  readonly location: string;
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Nothing when it is not there. */
  get(name: string): Promise<Buffer | undefined>;
  /** Fine, too, when it is not there. */
  drop(name: string): Promise<void>;
}

/** A place beside a database, and what names there begin with: several stores may share it. */
export interface Outside {
  place: BytePlace;
  prefix: string;
}

const BUCKET = /^s3:\/\//;

/** How a place is remembered: a folder must mean the same wherever a server is started. */
export function placeName(given: string): string {
  return BUCKET.test(given) ? given.replace(/\/+$/, "") : resolve(given);
}

/** `s3://bucket/prefix`, or a folder. What speaks to a bucket is loaded when there is one. */
export async function openPlace(
  location: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<BytePlace> {
  if (BUCKET.test(location)) return new (await import("./s3.ts")).S3Place(location, env);
  return new (await import("./folder.ts")).FolderPlace(location);
}

/** So many requests are under way together: a place may be far, and one by one would take long. */
const TOGETHER = 8;

/** The answers about all of them, in their order. */
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
