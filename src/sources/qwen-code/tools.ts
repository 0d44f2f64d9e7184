import type { ToolDescription } from "../decoding/tool-families.ts";
import { describeUnknown, prefixedMcp, tableOf } from "../decoding/tool-families.ts";
import type { ToolTable } from "../source.ts";

/** Every built-in tool of all versions. */
export const toolTable: ToolTable = tableOf({
  read: [
    "read_file",
    "read_many_files",
    "display_image",
    "zoom_image",
    "omni_caption_audio",
    "omni_caption_image",
    "omni_ocr_image",
    "omni_transcribe_audio",
    "omni_understand_video_segments",
  ],
  write: ["write_file"],
  edit: ["edit", "replace", "notebook_edit"],
  list: ["list_directory"],
  grep: ["grep_search", "search_file_content"],
  glob: ["glob"],
  lsp: ["lsp"],
  shell: ["run_shell_command"],
  process: ["monitor", "task_stop", "task_output"],
  webFetch: ["web_fetch"],
  webSearch: ["web_search", "google_web_search"],
  memory: ["save_memory", "omni_recall_media_memory"],
  todo: ["todo_write"],
  plan: ["enter_plan_mode", "exit_plan_mode"],
  task: ["task_create", "task_get", "task_list", "task_update"],
  goal: ["get_goal", "propose_goal", "update_goal"],
  skill: ["skill"],
  agent: ["task", "agent", "workflow", "list_agents", "create_sub_session"],
  message: ["send_message", "team_create", "team_delete", "team_plan_approval", "request_shutdown"],
  complete: ["structured_output"],
  code: ["exec"],
  image: ["image_gen"],
  media: [
    "omni_clip_audio",
    "omni_clip_image",
    "omni_clip_video",
    "omni_convert_image",
    "omni_downsample_audio",
    "omni_downsample_image",
    "omni_downscale_video",
    "omni_extract_audio",
    "omni_extract_keyframes",
  ],
  ask: ["ask_user_question"],
  resource: ["list_mcp_resources", "read_mcp_resource"],
  toolSearch: ["tool_search"],
  schedule: ["cron_create", "cron_delete", "cron_list", "loop_wakeup"],
  worktree: ["enter_worktree", "exit_worktree"],
  artifact: ["artifact", "record_artifact", "record_source", "report_findings"],
});

export function describeTool(name: string): ToolDescription {
  return toolTable.find(name) ?? describeUnknown(name, prefixedMcp(name));
}
