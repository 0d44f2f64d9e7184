import { describe, expect, test } from "vitest";
import { Chain, only, prompts, said } from "./records.ts";

describe("the typed text", () => {
  test("excludes files inserted into the prompt", () => {
    const texts = [
      "What does @notes.md say?",
      "\n--- Content from referenced files ---",
      "\nContent from notes.md:\n",
      "First note.\n",
      "\n--- End of content ---",
    ];
    const message = { role: "user", parts: texts.map((text) => ({ text })) };
    const session = only(new Chain().add("user", { message }));
    expect(prompts(session)).toEqual(["What does @notes.md say?"]);
    expect(session.messages[0]?.references).toEqual([{ path: "notes.md", content: "First note." }]);
  });

  test("is the displayed text if a hook added text", () => {
    const hook = "<qwen:user-prompt-submit-context>\nx\n</qwen:user-prompt-submit-context>";
    const message = { role: "user", parts: [{ text: "expanded" }, { text: hook }] };
    const shown = { systemPayload: { displayText: "as typed" } };
    const session = only(new Chain().add("user", { message, ...shown }));
    expect(prompts(session)).toEqual(["as typed"]);
    expect(session.messages[0]?.injections.map(({ kind }) => kind)).toEqual(["hook-context"]);
  });

  test("does not include what a hook added without a mark, also before a compression", () => {
    const prompt = { role: "user", parts: [{ text: "Go on." }, { text: "The hook's." }] };
    const summary = { role: "user", parts: [{ text: "<state_snapshot>x</state_snapshot>" }] };
    const chain = new Chain({ version: "0.15.6" })
      .add("user", { message: prompt })
      .assistant([{ text: "Yes." }])
      .system("chat_compression", { compressedHistory: [summary, prompt] });
    const session = only(chain);
    expect(prompts(session)).toEqual(["Go on."]);
    expect(session.messages.map(({ standing }) => standing)).toEqual(["live", "live", "rewritten"]);
    const newer = only(new Chain().add("user", { message: prompt }));
    expect(prompts(newer)).toEqual(["Go on.The hook's."]);
  });

  test("of a command that is sent to the model is the command, not what is sent", () => {
    const begun = { phase: "invocation", rawCommand: "/loop 1m hi", sentToModel: true };
    const ended = { phase: "result", rawCommand: "/loop 1m hi", outputHistoryItems: [] };
    const chain = new Chain()
      .system("slash_command", begun)
      .system("slash_command", ended)
      .user("How to run a loop …")
      .user("Stop.");
    const session = only(chain);
    expect(prompts(session)).toEqual(["Stop."]);
    expect(said(session)).toEqual([
      "notice: /loop 1m hi",
      "user: How to run a loop …",
      "user: Stop.",
    ]);
    expect(session.messages[1]?.injections.map(({ kind }) => kind)).toEqual(["slash-command"]);
  });

  test("is the displayed text without the files after it", () => {
    const files = "--- Content from referenced files ---";
    const displayText = `Look at @a.md.\n${files}\nContent from a.md:\nA.\n--- End of content ---`;
    const message = { role: "user", parts: [{ text: "Look at @a.md." }, { text: `\n${files}` }] };
    const session = only(new Chain().add("user", { message, systemPayload: { displayText } }));
    expect(prompts(session)).toEqual(["Look at @a.md."]);
  });

  test("follows a reminder in the same part", () => {
    const reminder = "<system-reminder>\n1 background agent was restored.\n</system-reminder>";
    const session = only(new Chain().user(`${reminder}\n\nBack?`).user(reminder));
    expect(prompts(session)).toEqual(["Back?"]);
    expect(session.messages.map(({ injections }) => injections)).toEqual([
      [{ kind: "reminder", text: reminder }],
      [{ kind: "reminder", text: reminder }],
    ]);
  });

  test("during a turn is a prompt, too; texts of the program are not", () => {
    const chain = new Chain()
      .user("Begin.")
      .user("Also this.", { subtype: "mid_turn_user_message" })
      .user("<task-notification>done</task-notification>", { subtype: "notification" })
      .user("every hour", { subtype: "cron" })
      .user("go on", { subtype: "goal_runtime" });
    expect(prompts(only(chain))).toEqual(["Begin.", "Also this."]);
  });

  test("of a command is one notice", () => {
    const chain = new Chain()
      .system("slash_command", { phase: "invocation", rawCommand: "/tools" })
      .system("slash_command", { phase: "result", rawCommand: "/tools", outputHistoryItems: [] });
    expect(said(only(chain))).toEqual(["notice: /tools"]);
  });

  test("may be empty if the prompt is an image", () => {
    const inlineData = { mimeType: "image/png", data: "AAAA" };
    const message = { role: "user", parts: [{ inlineData }] };
    const session = only(new Chain().add("user", { message }));
    expect(session.messages[0]).toMatchObject({
      isPrompt: true,
      attachments: [{ mediaType: "image/png", sizeBytes: 3, data: "AAAA" }],
    });
  });
});
