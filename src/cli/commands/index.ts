import type { ListedCommand } from "../command.ts";

/**
 * All commands, in the order of `pollux --help`. Each is a file in this folder, loaded when it
 * runs. A test compares the list with the folder.
 */
export const commands: readonly ListedCommand[] = [
  {
    name: "home",
    aliases: ["open"],
    summary: "Look around on the terminal: spending, projects, sessions, search (`pollux` alone)",
    load: () => import("./home.ts"),
  },
  {
    name: "overview",
    summary: "Print the first screen: today, this month, top projects, models and tools",
    load: () => import("./overview.ts"),
  },
  {
    name: "sessions",
    aliases: ["list"],
    summary: "List sessions, newest first",
    load: () => import("./sessions.ts"),
  },
  {
    name: "show",
    summary: "Show one session as a readable transcript",
    load: () => import("./show.ts"),
  },
  {
    name: "usage",
    summary: "Say what was used and what it cost, by day, model or project",
    load: () => import("./usage.ts"),
  },
  {
    name: "tools",
    summary: "Say what tools did: calls, shell commands, files touched",
    load: () => import("./tools.ts"),
  },
  {
    name: "calls",
    summary: "List every paid reply with its tokens and cost",
    load: () => import("./calls.ts"),
  },
  {
    name: "explain",
    summary: "Explain the numbers of a day, a session or a message, down to file and line",
    load: () => import("./explain.ts"),
  },
  {
    name: "events",
    summary: "Tell a session as normalised events, one JSON object per line",
    load: () => import("./events.ts"),
  },
  {
    name: "export",
    summary: "Write sessions in another form: Markdown, HTML, CSV, Parquet, traces, …",
    load: () => import("./export.ts"),
  },
  {
    name: "secrets",
    summary: "Find secrets in what was said, and say where they stand",
    load: () => import("./secrets.ts"),
  },
  {
    name: "record",
    summary: "Write a session as a verifiable record, or get the session back from one",
    load: () => import("./record.ts"),
  },
  {
    name: "keys",
    summary: "Make a key pair for signing records",
    load: () => import("./keys.ts"),
  },
  {
    name: "sign",
    summary: "Sign a record",
    load: () => import("./sign.ts"),
  },
  {
    name: "verify",
    summary: "Check a signed record: signature, metadata, claims, schema",
    load: () => import("./verify.ts"),
  },
  {
    name: "search",
    aliases: ["find"],
    summary: "Find words in everything that was asked, answered, thought, run and returned",
    load: () => import("./search.ts"),
  },
  {
    name: "uses",
    aliases: ["files"],
    summary: "Say which sessions read or changed a file or used a tool, and why",
    load: () => import("./uses.ts"),
  },
  {
    name: "compare",
    summary: "Show two sessions, models, projects or periods side by side",
    load: () => import("./compare.ts"),
  },
  {
    name: "insights",
    summary: "Say where the money and the work went, by rules that are written down",
    load: () => import("./insights.ts"),
  },
  {
    name: "blame",
    summary: "Say which session, model and prompt wrote each line of a file",
    load: () => import("./blame.ts"),
  },
  {
    name: "tag",
    summary: "Put tags of your own on sessions and messages",
    load: () => import("./tag.ts"),
  },
  {
    name: "note",
    summary: "Write a note on a session or a message",
    load: () => import("./note.ts"),
  },
  {
    name: "star",
    summary: "Star sessions and messages",
    load: () => import("./star.ts"),
  },
  {
    name: "title",
    summary: "Give a session a title of your own",
    load: () => import("./title.ts"),
  },
  {
    name: "keep",
    summary: "Keep everything in the archive, before it is deleted",
    load: () => import("./keep.ts"),
  },
  {
    name: "watch",
    summary: "Keep continuously",
    load: () => import("./watch.ts"),
  },
  {
    name: "service",
    summary: "Keep sessions from your login on: install, uninstall, status",
    load: () => import("./service.ts"),
  },
  {
    name: "hook",
    summary: "Make an agent keep its sessions by itself",
    load: () => import("./hook.ts"),
  },
  {
    name: "restore",
    summary: "Put a session back where its agent finds it, as it is or as it once was",
    load: () => import("./restore.ts"),
  },
  {
    name: "resume",
    summary: "Go on with a session, from any folder",
    load: () => import("./resume.ts"),
  },
  {
    name: "handover",
    summary: "Hand a conversation over to another agent, which goes on with it",
    load: () => import("./handover.ts"),
  },
  {
    name: "archive",
    summary: "Look after the archive: stats, verify, compact, export, import, pull",
    load: () => import("./archive.ts"),
  },
  {
    name: "forget",
    summary: "Remove sessions from the archive for good",
    load: () => import("./forget.ts"),
  },
  {
    name: "rebuild",
    summary: "Make all that was read again, from the kept bytes",
    load: () => import("./rebuild.ts"),
  },
  {
    name: "doctor",
    summary: "Say what was looked at, what was understood, and what may be lost soon",
    load: () => import("./doctor.ts"),
  },
  {
    name: "mcp",
    summary: "Let agents search and read past sessions (Model Context Protocol)",
    load: () => import("./mcp.ts"),
  },
  {
    name: "serve",
    aliases: ["web"],
    summary: "Show everything in the browser, live",
    load: () => import("./serve.ts"),
  },
  {
    name: "sync",
    summary: "Send what is kept to a team, once this machine was enrolled",
    load: () => import("./sync.ts"),
  },
  {
    name: "team",
    summary: "Look after a store that a team shares: init, doctor, people, codes",
    load: () => import("./team.ts"),
  },
  {
    name: "conformance",
    summary: "Check a reader of sessions, Pollux or another, against homes with known answers",
    load: () => import("./conformance.ts"),
  },
  {
    name: "completion",
    summary: "Print a completion script for your shell",
    load: () => import("./completion.ts"),
  },
];

/** The command that plain `pollux` runs. */
export const DEFAULT_COMMAND: { name: string; args: readonly string[] } = {
  name: "home",
  args: [],
};
