import type { ListedCommand } from "../command.ts";

/**
 * All commands, in the order of `pollux --help`. Each is a file in this folder, loaded when it
 * runs. A test compares the list with the folder.
 */
export const commands: readonly ListedCommand[] = [
  {
    name: "home",
    aliases: ["open"],
    summary: "Browse spending, projects and sessions in the terminal (same as `pollux` alone)",
    load: () => import("./home.ts"),
  },
  {
    name: "overview",
    summary: "Print an overview: today, this month, top projects, models and tools",
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
    summary: "Show tokens and cost by day, model, project and more",
    load: () => import("./usage.ts"),
  },
  {
    name: "tools",
    summary: "Show tool use: calls, shell commands, files touched",
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
    summary: "Print a session as normalised events, one JSON object per line",
    load: () => import("./events.ts"),
  },
  {
    name: "export",
    summary: "Export sessions: Markdown, HTML, CSV, Parquet, traces, …",
    load: () => import("./export.ts"),
  },
  {
    name: "secrets",
    summary: "Find secrets in conversations and show where they are",
    load: () => import("./secrets.ts"),
  },
  {
    name: "record",
    summary: "Write a session as a verifiable record, or turn a record back into a session",
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
    summary: "Search prompts, answers, thoughts, tool calls and their output",
    load: () => import("./search.ts"),
  },
  {
    name: "uses",
    aliases: ["files"],
    summary: "Find the sessions that read or changed a file or used a tool, and why",
    load: () => import("./uses.ts"),
  },
  {
    name: "compare",
    summary: "Compare two sessions, models, projects or periods",
    load: () => import("./compare.ts"),
  },
  {
    name: "insights",
    summary: "Show where money and work went: failures, repetition, undone work, cache misses",
    load: () => import("./insights.ts"),
  },
  {
    name: "blame",
    summary: "Show which session, model and prompt wrote each line of a file",
    load: () => import("./blame.ts"),
  },
  {
    name: "tag",
    summary: "Tag sessions and messages",
    load: () => import("./tag.ts"),
  },
  {
    name: "note",
    summary: "Add a note to a session or a message",
    load: () => import("./note.ts"),
  },
  {
    name: "star",
    summary: "Star sessions and messages",
    load: () => import("./star.ts"),
  },
  {
    name: "title",
    summary: "Give a session your own title",
    load: () => import("./title.ts"),
  },
  {
    name: "keep",
    summary: "Archive all sessions before agents delete them",
    load: () => import("./keep.ts"),
  },
  {
    name: "watch",
    summary: "Archive sessions continuously as they change",
    load: () => import("./watch.ts"),
  },
  {
    name: "service",
    summary: "Archive sessions in the background, starting at login: install, uninstall, status",
    load: () => import("./service.ts"),
  },
  {
    name: "hook",
    summary: "Install a hook that archives sessions when they end",
    load: () => import("./hook.ts"),
  },
  {
    name: "restore",
    summary: "Restore a session, or an earlier version of it, to its agent's folder",
    load: () => import("./restore.ts"),
  },
  {
    name: "resume",
    summary: "Resume a session, from any folder",
    load: () => import("./resume.ts"),
  },
  {
    name: "handover",
    summary: "Hand a conversation over to another agent, which can then resume it",
    load: () => import("./handover.ts"),
  },
  {
    name: "archive",
    summary: "Manage the archive: stats, verify, compact, export, import, pull",
    load: () => import("./archive.ts"),
  },
  {
    name: "forget",
    summary: "Remove sessions from the archive permanently",
    load: () => import("./forget.ts"),
  },
  {
    name: "rebuild",
    summary: "Rebuild all derived data from the archived files",
    load: () => import("./rebuild.ts"),
  },
  {
    name: "doctor",
    summary: "Check what Pollux found and read, and which sessions will be deleted soon",
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
    summary: "Browse sessions in the web browser, updated live",
    load: () => import("./serve.ts"),
  },
  {
    name: "sync",
    summary: "Send archived sessions to a team's server, after enrolling this machine",
    load: () => import("./sync.ts"),
  },
  {
    name: "team",
    summary: "Manage a team's shared store: init, doctor, people, codes",
    load: () => import("./team.ts"),
  },
  {
    name: "conformance",
    summary: "Test Pollux or another session reader against folders with known answers",
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
