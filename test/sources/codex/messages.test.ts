import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/core/session/session.ts";
import type { Line } from "./made-home.ts";
import {
  called,
  event,
  homeOf,
  item,
  said,
  sessionOf,
  sessionsOf,
  START,
  talkOf,
  THREAD,
  usage,
  writeFile,
} from "./made-home.ts";

describe("messages", () => {
  test("recorded as an event and as an item are shown once", () => {
    const session = sessionOf([
      ...START,
      said("user", "Hello."),
      event("user_message", { message: "Hello." }),
      event("agent_reasoning", { text: "**Think**\n\nHard." }),
      item({
        type: "reasoning",
        summary: [{ text: "**Think**\n\nHard." }],
        encrypted_content: "x",
      }),
      event("agent_message", { message: "Hi." }),
      said("assistant", "Hi."),
      item({ type: "reasoning", summary: [], encrypted_content: "gAAAA" }),
    ]);
    expect(talkOf(session)).toEqual(["live user: Hello.", "live model: Hi."]);
    expect(session.messages[1]?.thoughts).toMatchObject([
      { subject: "Think", description: "Hard." },
      { description: "", isEncrypted: true },
    ]);
  });

  test.each([
    "Here it is.\n<proposed_plan>\n# Plan\n</proposed_plan>",
    "Here it is.<oai-mem-citation>notes.md:1</oai-mem-citation>",
  ])("with a part that the event lacks are shown once, with that part: %s", (whole) => {
    const shown = event("agent_message", { message: "Here it is.\n" });
    for (const lines of [
      [shown, said("assistant", whole)],
      [said("assistant", whole), shown],
    ]) {
      const { messages } = sessionOf([...START, ...lines]);
      expect(messages.map(({ text }) => text)).toEqual([whole]);
    }
  });

  test("of a response that ended incomplete are separate from those of the next one", () => {
    const total = { total_token_usage: usage(10), last_token_usage: usage(10) };
    for (const [before, after] of [
      [null, null],
      [total, total],
    ]) {
      const session = sessionOf([
        ...START,
        said("user", "Hello."),
        event("user_message", { message: "Hello." }),
        event("token_count", { info: before }),
        said("assistant", "Cut"),
        event("token_count", { info: after }),
        said("assistant", "Whole."),
      ]);
      expect(talkOf(session)).toEqual([
        "live user: Hello.",
        "live model: Cut",
        "live model: Whole.",
      ]);
    }
  });

  test("with the same text twice are two messages", () => {
    const once = [event("agent_message", { message: "Yes." }), said("assistant", "Yes.")];
    const output = item({ type: "function_call_output", call_id: "none", output: "" });
    const session = sessionOf([...START, ...once, output, ...once]);
    expect(session.messages.filter(({ author }) => author === "model")).toHaveLength(2);
  });

  test("with a picture that a tool showed are no prompts (0.28, without events)", () => {
    const picture = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" };
    const shown = item({ type: "message", role: "user", content: [picture] });
    const items = [
      said("user", "Look."),
      item({ type: "function_call", name: "view_image", arguments: "{}", call_id: "c1" }),
      shown,
      item({ type: "function_call_output", call_id: "c1", output: "attached" }),
      said("assistant", "Seen."),
      shown,
    ].map(({ payload }) => payload);
    const lines = [{ id: THREAD, timestamp: "2026-11-15T20:00:00.000Z" }, ...items];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const path = `sessions/2026/11/15/rollout-2026-11-15T20-00-00-${THREAD}.jsonl`;
    const [session] = sessionsOf(writeFile(homeOf({}), path, text));
    const users = session?.messages.filter(({ author }) => author === "user");
    expect(users?.map(({ isPrompt }) => isPrompt)).toEqual([true, false, true]);
  });

  test("of a review's instructions are notices: they are shown, but never sent", () => {
    const task = { message: "Review the changes." };
    const session = sessionOf([
      ...START,
      event("entered_review_mode", { target: { type: "uncommittedChanges" } }),
      event("user_message", task),
      event("user_message", task),
      said("user", "<user_action>The review.</user_action>"),
      event("exited_review_mode"),
      said("assistant", "Fine."),
      said("user", "Go on."),
      event("user_message", { message: "Go on." }),
    ]);
    expect(talkOf(session)).toEqual([
      "live notice: Review the changes.",
      "live user: <user_action>The review.</user_action>",
      "live model: Fine.",
      "live user: Go on.",
    ]);
    expect(session.messages.map(({ isPrompt }) => isPrompt)).toEqual([false, false, false, true]);
  });

  test("of a detached review begin with instructions that nobody typed (0.149)", () => {
    const message = "Use [$review-agent](/home/ada/.codex/SKILL.md) for this review.\n\nCheck it.";
    const { messages } = sessionOf([
      ...START,
      said("user", message),
      event("user_message", { message }),
      said("assistant", "Fine."),
    ]);
    expect(messages.map(({ isPrompt }) => isPrompt)).toEqual([false, false]);
    expect(messages[0]?.injections).toEqual([{ kind: "delegation", text: message }]);
  });

  test("with injected text are no prompts, unless an event reports them as typed", () => {
    const lines = [
      "<environment_context>x",
      "# AGENTS.md instructions for /p",
      "<turn_aborted>",
      "Other.",
    ];
    const session = sessionOf([
      ...START,
      ...lines.map((text) => said("user", text)),
      said("user", "<environment_context> is what?"),
      event("user_message", { message: "<environment_context> is what?" }),
    ]);
    expect(
      session.messages.map(({ injections, isPrompt }) => [injections[0]?.kind, isPrompt]),
    ).toEqual([
      ["environment", false],
      ["instructions", false],
      ["interruption", false],
      ["other", false],
      [undefined, true],
    ]);
  });

  test("with an image have its text, bytes and origin", () => {
    const image_url = "data:image/png;base64,iVBORw0KGgo=";
    const text = (value: string): object => ({ type: "input_text", text: value });
    const content = [
      text("<image name=[Image #1]>"),
      { type: "input_image", image_url },
      text("</image>"),
      text("What?"),
    ];
    const session = sessionOf([
      ...START,
      item({ type: "message", role: "user", content }),
      event("user_message", { message: "What?", local_images: ["/p/a.png"] }),
    ]);
    expect(session.messages[0]).toMatchObject({ isPrompt: true, typed: "What?", text: "What?" });
    expect(session.messages[0]?.attachments).toEqual([
      { mediaType: "image/png", sizeBytes: 8, data: "iVBORw0KGgo=", uri: "/p/a.png" },
    ]);
  });

  test("with an image read by a tool are no prompts, even if an event says so (0.101)", () => {
    const image_url = "data:image/png;base64,iVBORw0KGgo=";
    const picture = [{ type: "input_image", image_url }];
    const session = sessionOf([
      ...START,
      event("user_message", { message: "Look at a.png." }),
      ...called("view_image", { path: "a.png" }, "attached local image path"),
      item({ type: "message", role: "user", content: picture }),
      event("user_message", { message: "", images: [image_url] }),
      said("assistant", "I looked at it."),
      item({ type: "message", role: "user", content: picture }),
      event("user_message", { message: "", images: [image_url] }),
    ]);
    const asked = session.messages.filter(({ author }) => author === "user");
    expect(asked.map(({ isPrompt, attachments }) => [isPrompt, attachments.length])).toEqual([
      [true, 0],
      [false, 1],
      [true, 1],
    ]);
  });

  test("sent during a turn are further prompts of that turn", () => {
    const session = sessionOf([
      ...START,
      said("user", "A slow task."),
      event("user_message", { message: "A slow task." }),
      ...called("exec_command", { cmd: "sleep 4" }, "Process exited with code 0\nOutput:\n"),
      said("user", "And more."),
      event("user_message", { message: "And more." }),
    ]);
    expect(session.messages.filter(({ isPrompt }) => isPrompt).map(({ typed }) => typed)).toEqual([
      "A slow task.",
      "And more.",
    ]);
  });

  test("of a refused and of an interrupted turn end with a notice", () => {
    const asked = [said("user", "Hm."), event("user_message", { message: "Hm." })];
    const refused = event("task_complete", { last_agent_message: null, error: { message: "No." } });
    const silent = event("task_complete", { last_agent_message: null });
    const broken = event("turn_aborted", { reason: "interrupted" });
    const noticed = (line: Line): unknown[] => {
      const { messages } = sessionOf([...START, ...asked, line]);
      const { author, level, signal, text } = messages.at(-1) ?? {};
      return [author, level, signal, text];
    };
    expect(noticed(refused)).toEqual(["notice", "error", undefined, "No."]);
    expect(noticed(silent)).toEqual([
      "notice",
      "error",
      undefined,
      "The turn ended without an answer.",
    ]);
    expect(noticed(broken)).toEqual([
      "notice",
      "info",
      "cancellation",
      "The turn was interrupted.",
    ]);
  });
});

describe("an outline", () => {
  const long = "A long story. ".repeat(100_000);
  const lines: Line[] = [
    ...START,
    said("developer", long),
    said("user", long),
    event("user_message", { message: long, images: [`data:image/png;base64,${long}`] }),
    event("agent_reasoning", { text: long }),
    item({ type: "reasoning", summary: [{ text: long }], encrypted_content: long }),
    event("agent_message", { message: long }),
    said("assistant", long),
    ...called("write", { content: long }, long),
    {
      type: "compacted",
      payload: { message: long, replacement_history: [said("user", long).payload] },
    },
    event("error", { message: long }),
    event("task_complete", { last_agent_message: null, error: { message: long } }),
  ];

  test("does not grow with the length of texts, and has the same structure", () => {
    const full = sessionOf(lines);
    const outline = sessionOf(lines, "outline");
    expect(JSON.stringify(full).length).toBeGreaterThan(5 * long.length);
    expect(JSON.stringify(outline).length).toBeLessThan(20_000);
    const shapes = ({ messages }: Session): unknown[] => {
      return messages.map(({ id, author, isPrompt, standing, toolCalls }) => {
        return [
          id,
          author,
          isPrompt,
          standing,
          toolCalls.map(({ name, outcome }) => [name, outcome]),
        ];
      });
    };
    expect(shapes(outline)).toEqual(shapes(full));
  });
});
