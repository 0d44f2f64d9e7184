/** Display name and general description, which versions before 0.35 repeat in every call. */
export const tools = {
  read_file: ["ReadFile", "Returns the content of a file, or of a range of its lines."],
  write_file: ["WriteFile", "Writes content to a file; the user may change it first."],
  replace: ["Edit", "Replaces one text in a file by another."],
  list_directory: ["ReadFolder", "Lists the files and folders directly inside a folder."],
  glob: ["FindFiles", "Finds files whose path matches a pattern, newest first."],
  search_file_content: ["SearchText", "Searches the content of files for a pattern."],
  grep_search: ["SearchText", "Searches the content of files for a pattern."],
  run_shell_command: ["Shell", "Runs a command as `bash -c <command>`."],
  web_fetch: ["WebFetch", "Fetches the pages named in a prompt and works on them."],
  google_web_search: ["GoogleSearch", "Searches the web and returns the results."],
  save_memory: ["SaveMemory", "Remembers a fact for later conversations."],
  write_todos: ["WriteTodos", "Keeps a list of the steps of a larger task."],
  codebase_investigator: ["Codebase Investigator Agent", "Looks into a codebase on its own."],
  invoke_agent: ["Invoke Subagent", "Hands a task to a subagent."],
  complete_task: ["Complete Task", "Ends a subagent's work with its result."],
  update_topic: ["Update Topic Context", "Names what the conversation is about."],
};
