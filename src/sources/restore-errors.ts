import { PolluxError } from "../core/error.ts";

/** Errors that all agents share for sessions that cannot be restored. */

export function unknownProject(): PolluxError {
  return new PolluxError("unknown-project", "The directory of this session is not known.", {
    remedy: "Name it with --project /path/to/the/project.",
  });
}

export function oddId(id: string, agent: string): PolluxError {
  return new PolluxError("odd-id", `${agent} does not take "${id}" as the id of a session.`, {
    remedy: "--new-id puts it back under another one.",
  });
}

export function nothingToResume(id: string): PolluxError {
  return new PolluxError("nothing-to-restore", `Session ${id} holds nothing to go on with.`, {
    remedy: "`pollux show` tells what is left of it.",
  });
}
