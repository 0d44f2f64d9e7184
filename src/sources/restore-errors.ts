import { PolluxError } from "../core/error.ts";

/** Errors that all agents share for sessions that cannot be restored. */

export function unknownProject(): PolluxError {
  return new PolluxError("unknown-project", "The project directory of this session is unknown.", {
    remedy: "Name it with --project /path/to/the/project.",
  });
}

export function oddId(id: string, agent: string): PolluxError {
  return new PolluxError("odd-id", `${agent} does not accept "${id}" as a session id.`, {
    remedy: "Use --new-id to restore it with another id.",
  });
}

export function nothingToResume(id: string): PolluxError {
  return new PolluxError("nothing-to-restore", `Session ${id} has no messages to resume.`, {
    remedy: "`pollux show` shows what is left of it.",
  });
}
