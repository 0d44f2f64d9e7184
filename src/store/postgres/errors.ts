import { PolluxError } from "../../core/error.ts";

const AWAY = {
  code: "store-unreachable",
  what: "The server stopped or is just starting",
  remedy: "Try again in a few seconds.",
};

/** Error codes of PostgreSQL and the operating system, with their meaning for users. */
const MEANINGS: Readonly<Record<string, { code: string; what: string; remedy: string }>> = {
  ECONNREFUSED: {
    code: "store-unreachable",
    what: "The server does not answer",
    remedy: "Start the server, or check host and port.",
  },
  ENOENT: {
    code: "store-unreachable",
    what: "The socket does not exist",
    remedy: "Start the server, or check the folder of its socket.",
  },
  ENOTFOUND: {
    code: "store-unreachable",
    what: "Unknown host",
    remedy: "Check the host name.",
  },
  ETIMEDOUT: {
    code: "store-unreachable",
    what: "The server did not answer in time",
    remedy: "Check host, port and firewall.",
  },
  ECONNRESET: AWAY,
  EPIPE: AWAY,
  "57P01": AWAY,
  "57P02": AWAY,
  "57P03": AWAY,
  "53300": {
    code: "store-unreachable",
    what: "The server has too many connections",
    remedy: "Raise max_connections, or use a connection pooler.",
  },
  "28P01": {
    code: "store-forbidden",
    what: "The password was not accepted",
    remedy: "Check user name and password, or set PGPASSWORD.",
  },
  "28000": {
    code: "store-forbidden",
    what: "This user may not sign in",
    remedy: "Ask the administrator of the database.",
  },
  "3D000": {
    code: "store-unreachable",
    what: "The database does not exist",
    remedy: "Create it with `createdb`.",
  },
  "42501": {
    code: "archive-read-only",
    what: "This user lacks the permission",
    remedy: "Use a role that may write to the schema.",
  },
  "25006": {
    code: "archive-read-only",
    what: "The server is read-only",
    remedy: "Use the primary server, not its replica.",
  },
  "53100": {
    code: "archive-full",
    what: "The server's disk is full",
    remedy: "Nothing was stored. Free some space on the server and try again.",
  },
};

/** Translates a server error into a message and a remedy; unknown errors are returned unchanged. */
export function explained(error: unknown, location: string): unknown {
  const { code, message = "" } = error as { code?: string; message?: string };
  // The driver has no code for timeouts and for connections that end during a query.
  const isLate = code === undefined && message.startsWith("timeout exceeded");
  const isCut = code === undefined && message.startsWith("Connection terminated");
  const meaning = isCut ? AWAY : MEANINGS[isLate ? "ETIMEDOUT" : (code ?? "")];
  if (!meaning) return error;
  return new PolluxError(meaning.code, `${location}: ${meaning.what}.`, {
    remedy: meaning.remedy,
    cause: error,
  });
}

export function readOnly(location: string): PolluxError {
  return new PolluxError("archive-read-only", `${location} is opened for reading only.`, {
    remedy: "Use a role that may write to the schema.",
  });
}
