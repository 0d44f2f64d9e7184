import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { PolluxError } from "../../core/error.ts";

/** SQLite result codes (the low byte of an extended code). */
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const INPUT_OUTPUT = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

interface Explained {
  code: string;
  message: string;
  remedy: string;
}

/** Translates SQLite errors into a message and a remedy; other errors are returned unchanged. */
export function archiveError(error: unknown, path: string): unknown {
  const explained = explain(error, path);
  if (!explained) return error;
  return new PolluxError(explained.code, explained.message, {
    remedy: explained.remedy,
    cause: error,
  });
}

function explain(error: unknown, path: string): Explained | undefined {
  if (!(error instanceof Error)) return undefined;
  if (MISSING.test(error.message)) return incomplete(path, error.message);
  const number = numberOf(error);
  return number === undefined ? undefined : explainCode(number & 0xff, path);
}

const MISSING = /^no such (table|column)/;

/** Errors while iterating over rows have a message but no code. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/disk image is malformed/, CORRUPT],
  [/file is not a database/, NOT_A_DATABASE],
  [/disk I\/O error/, INPUT_OUTPUT],
  [/database or disk is full/, FULL],
  [/database (table )?is locked/, BUSY],
];

function numberOf(error: Error): number | undefined {
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  return WORDS.find(([words]) => words.test(error.message))?.[1];
}

function explainCode(number: number, path: string): Explained | undefined {
  switch (number) {
    case BUSY:
    case LOCKED:
      return {
        code: "archive-busy",
        message: `Another process keeps writing to the archive ${path}.`,
        remedy: "Wait until it has finished, or use --fresh to answer directly from disk.",
      };
    case READ_ONLY:
      return notWritable(path);
    case CANNOT_OPEN:
      return isDiskFull(path) ? full(path) : notWritable(path);
    case FULL:
      return full(path);
    case INPUT_OUTPUT:
      // Also reported if the files next to the archive cannot be created.
      if (isDiskFull(path)) return full(path);
      return {
        code: "archive-unreadable",
        message: `The disk under the archive ${path} failed to read or write.`,
        remedy: "Check the disk; `pollux archive verify` checks the archive for damage.",
      };
    case CORRUPT:
    case NOT_A_DATABASE:
      return damaged(path);
    default:
      return undefined;
  }
}

/** Refuses pipes, which would block, and devices, where a write has side effects. */
export function notARegularFile(path: string): PolluxError {
  return new PolluxError(
    "archive-strange",
    `${path} is not a regular file, so it cannot be an archive.`,
    {
      remedy: "Name another file.",
    },
  );
}

export function readOnly(path: string): PolluxError {
  const { code, message, remedy } = isDiskFull(path) ? full(path) : notWritable(path);
  return new PolluxError(code, message, { remedy });
}

/** Space that SQLite needs next to an archive to open it: its log and its shared memory. */
const LEAST_FREE_BYTES = 128 * 1024;

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dirname(path));
    return bavail * bsize < LEAST_FREE_BYTES || (files > 0 && ffree === 0);
  } catch {
    // Some file systems do not report it.
    return false;
  }
}

/** There is no archive yet, and none can be created now. */
export function notCreated(path: string, cause: unknown): PolluxError {
  const { message, remedy } = isDiskFull(path)
    ? { ...full(path), message: `The disk is full: the archive ${path} cannot be created.` }
    : notWritable(path);
  return new PolluxError("archive-not-created", message, { remedy, cause });
}

function full(path: string): Explained {
  return {
    code: "disk-full",
    message: `The disk is full: the archive ${path} cannot grow. Its content is safe.`,
    remedy: "Free some space, or move the archive with POLLUX_HOME or --archive, and try again.",
  };
}

export function notReadable(path: string): PolluxError {
  return new PolluxError(
    "archive-forbidden",
    `Permission denied: this user cannot read the archive ${path} or its folder.`,
    {
      remedy:
        "Ask its owner, choose another place with --archive or POLLUX_HOME, " +
        "or use --fresh to answer directly from disk.",
    },
  );
}

export function notWritable(path: string): Explained {
  return {
    code: "archive-read-only",
    message: `The archive ${path} cannot be written to.`,
    remedy:
      "Make it and its folder writable, choose another place with --archive or POLLUX_HOME, " +
      "or use --fresh to answer directly from disk.",
  };
}

/** Remedy for an archive that cannot be opened. */
export const MOVE_ASIDE: string =
  "Restore it from a backup, or move it away and create a new one with `pollux keep`; " +
  "use --fresh to answer directly from disk.";

function damaged(path: string): Explained {
  return {
    code: "archive-damaged",
    message: `The archive ${path} is damaged, or is not an archive.`,
    remedy:
      "Nothing was changed. If it can be opened, `pollux archive verify` lists the damage. " +
      MOVE_ASIDE,
  };
}

/** A table or column is missing. */
function incomplete(path: string, what: string): Explained {
  const message = `The archive ${path} is damaged: ${what}.`;
  return { ...damaged(path), message };
}
