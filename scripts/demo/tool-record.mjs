import { diffOf } from "./files.mjs";
import { tools } from "./tools.mjs";

/** Tools whose external output is wrapped by the newest versions. */
const OUTSIDE = /^(run_shell_command|mcp_|web_fetch)/;

/** How Gemini CLI records its calls. */
export const geminiTools = { record: toolRecord, isSlow: (name) => name === "run_shell_command" };

/** One element of `toolCalls` as the given version writes it. Tools act on the project's files. */
function toolRecord(call, { minor, files, id, at }) {
  const { name, args } = call;
  const answer = answerOf(call, { minor, files });
  const response = responseOf(call, answer.output, minor);
  const shown = displayOf(call, answer.display, minor);
  const { displayName, generic } = describe(name);
  const about = answer.about ?? generic;
  const words =
    minor < 35 ? { displayName, description: generic } : { description: about, displayName };
  return {
    id,
    name,
    args: argsOf(name, args, { minor, files }),
    result: [{ functionResponse: { id, name, response } }],
    status: call.status,
    timestamp: at,
    ...(call.agentId === undefined || minor < 39 ? {} : { agentId: call.agentId }),
    ...(shown === undefined ? {} : { resultDisplay: shown }),
    ...words,
    renderOutputAsMarkdown: name !== "run_shell_command",
  };
}

function describe(name) {
  const known = tools[name];
  if (known) return { displayName: known[0], generic: known[1] };
  const mcp = /^mcp_([^_]+)_(.+)$/.exec(name);
  if (!mcp) return { displayName: name, generic: "" };
  return { displayName: `${mcp[2]} (${mcp[1]} MCP Server)`, generic: `Calls ${mcp[2]}.` };
}

/** Old versions use absolute paths and other argument names. */
function argsOf(name, args, { minor, files }) {
  const { file_path: path, dir_path: folder, ...rest } = args;
  if (path !== undefined) {
    const key = minor < 14 && name === "read_file" ? "absolute_path" : "file_path";
    return { [key]: minor < 35 ? files.absolute(path) : path, ...rest };
  }
  if (folder !== undefined) {
    const key = minor < 14 ? "path" : "dir_path";
    return { [key]: minor < 35 ? files.absolute(folder) : folder, ...rest };
  }
  return rest;
}

function responseOf(call, output, minor) {
  if (call.status === "error") return { error: call.error };
  if (call.status === "cancelled") return { error: `[Operation Cancelled] ${call.error}` };
  const isWrapped = minor >= 57 && OUTSIDE.test(call.name);
  return { output: isWrapped ? `<untrusted_context>\n${output}\n</untrusted_context>` : output };
}

/** Before 0.25, only displays that are text were recorded. */
function displayOf(call, display, minor) {
  if (call.show !== undefined) return call.show;
  if (call.status === "error") return `Error: ${call.error.split("\n")[0]}`;
  if (typeof display === "object" && minor < 25) return undefined;
  if (typeof display === "object" && display.summary !== undefined && minor < 37) {
    return display.summary;
  }
  return display;
}

const answers = {
  read_file: (call, { files }) => {
    const path = call.args.file_path;
    return { output: call.out ?? files.read(path), display: "", about: path };
  },
  list_directory: (call, { files, minor }) => {
    const folder = call.args.dir_path ?? ".";
    const listed = files.list(folder);
    const prefix = folder === "." ? "" : `${folder}/`;
    const size = (name) => (minor < 57 ? "" : ` (${files.size(prefix + name)} bytes)`);
    const folders = listed.folders.map((name) => `[DIR] ${name}`);
    const lines = [...folders, ...listed.files.map((name) => name + size(name))];
    const output = `Directory listing for ${files.absolute(folder)}:\n${lines.join("\n")}`;
    const summary = `${minor < 57 ? "Listed" : "Found"} ${lines.length} item(s).`;
    return { output, display: { summary, files: [...folders, ...listed.files] }, about: folder };
  },
  write_file: (call, world) => writeFile(call, world),
  replace: (call, world) => replaceText(call, world),
  run_shell_command: (call, { minor }) => {
    const { command } = call.args;
    const display = call.status === "cancelled" ? "Command cancelled by user." : (call.out ?? "");
    return { output: shellOutput(call, minor), display, about: command };
  },
  write_todos: ({ args: { todos } }) => {
    const lines = todos.map((todo, at) => `${at + 1}. [${todo.status}] ${todo.description}`);
    const opening = "Successfully updated the todo list. The current list is now:";
    const output = `${opening}\n${lines.join("\n")}`;
    return { output, display: { todos }, about: `Set ${todos.length} todo(s)` };
  },
  complete_task: () => {
    const output = "Output submitted and task completed.";
    return { output, display: output, about: "Completing task and submitting results." };
  },
};

function answerOf(call, world) {
  const answer = answers[call.name];
  if (answer && (call.status === "success" || call.name === "run_shell_command")) {
    return answer(call, world);
  }
  const output = call.out ?? "";
  const display = call.status === "success" ? output : undefined;
  return { output, display, about: call.about ?? JSON.stringify(call.args) };
}

function writeFile(call, { files, minor }) {
  const path = call.args.file_path;
  const before = files.has(path) ? files.read(path) : "";
  const isNewFile = !files.has(path);
  const after = call.args.content;
  files.write(path, after);
  const done = isNewFile ? "created and wrote to new file" : "overwrote file";
  const tail = minor < 57 ? "" : ` Here is the updated code:\n${after}`;
  const output = `Successfully ${done}: ${files.absolute(path)}.${tail}`;
  const change = { before, after, files, isNewFile, minor };
  const display = fileDiff(path, change, ["Original", "Written"]);
  return { output, display, about: `Writing to ${path}` };
}

function replaceText(call, { files, minor }) {
  const { file_path: path, old_string: old, new_string: now } = call.args;
  const before = files.read(path);
  if (!before.includes(old)) throw new Error(`The story replaces what ${path} does not hold.`);
  const after = before.replace(old, () => now);
  files.write(path, after);
  const tail = minor < 57 ? "" : ` Here is the updated code:\n${now}\n`;
  const output = `Successfully modified file: ${files.absolute(path)} (1 replacements).${tail}`;
  const display = fileDiff(path, { before, after, files, minor }, ["Current", "Proposed"]);
  return { output, display, about: `${path}: ${brief(old)} => ${brief(now)}` };
}

function brief(text) {
  return text.split("\n")[0].slice(0, 30);
}

function fileDiff(path, change, words) {
  const fileName = path.split("/").at(-1);
  const { fileDiff: diff, stat } = diffOf(fileName, change, words);
  return {
    fileDiff: diff,
    fileName,
    filePath: change.files.absolute(path),
    originalContent: change.before,
    newContent: change.after,
    diffStat: stat,
    isNewFile: change.isNewFile === true,
    ...(change.minor < 57 ? {} : { isBuildFile: false }),
  };
}

function shellOutput({ args, out = "", exitCode = 0, groupId }, minor) {
  if (minor >= 20) {
    const exit = exitCode === 0 ? "" : `\nExit Code: ${exitCode}`;
    return `Output: ${out || "(empty)"}${exit}\nProcess Group PGID: ${groupId}`;
  }
  return [
    `Command: ${args.command}`,
    "Directory: (root)",
    `Output: ${out || "(empty)"}`,
    "Error: (none)",
    `Exit Code: ${exitCode}`,
    "Signal: (none)",
    "Background PIDs: (none)",
    "Process Group PGID: (none)",
  ].join("\n");
}
