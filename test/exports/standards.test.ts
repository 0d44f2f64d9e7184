import { describe, expect, test } from "vitest";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { AGENT_ID, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import type { Json } from "./atif-rules.ts";
import { atifProblems } from "./atif-rules.ts";
import { parsed, writtenText } from "./written.ts";

async function tour<T>(to: string): Promise<T> {
  const { library } = homeWith(TOUR_HOME);
  return parsed<T>(await writtenText(library, TOUR_ID, { to }));
}

/** A session with an unfinished call, odd call ids, and a model message at the start. */
const ODD = jsonl(
  header("dddddddd-0000-4000-8000-000000000000"),
  model("g0", 1, "…as I said."),
  user("u1", 2, "Go on."),
  model("g1", 3, {
    text: "Now.",
    toolCalls: [
      call("a b/ü", "glob", { output: "1", seconds: 4 }),
      call("a b/ü", "glob", { output: "2", seconds: 4 }),
      { id: "open", name: "glob", args: "not an object", status: "executing" },
    ],
  }),
  model("g2", 5, "Text again."),
);
const ODD_HOME = { "chats/session-2026-02-10T17-28-dddddddd.jsonl": ODD };

describe("atif", () => {
  interface Trajectory extends Json {
    steps: Json[];
    subagent_trajectories: Json[];
  }

  test("follows the rules of the format, also in embedded trajectories", async () => {
    const trajectory = await tour<Trajectory>("atif");
    expect(atifProblems(trajectory)).toEqual([]);
    expect(trajectory.subagent_trajectories.map((item) => item["trajectory_id"])).toEqual([
      AGENT_ID,
    ]);
    expect(JSON.stringify(trajectory.steps)).toContain(`"trajectory_id":"${AGENT_ID}"`);
    expect(trajectory.steps.map((step) => step["source"])).toEqual(
      "user agent agent agent user agent user system agent agent".split(" "),
    );
    const { library } = homeWith(ODD_HOME);
    const odd = parsed<Json>(await writtenText(library, "dddddddd", { to: "atif" }));
    expect(atifProblems(odd)).toEqual([]);
  });

  test("counts paid tokens, including those of rewound messages", async () => {
    const trajectory = await tour<Trajectory>("atif");
    expect(trajectory["final_metrics"]).toEqual({
      total_prompt_tokens: 6108,
      total_completion_tokens: 300,
      total_cached_tokens: 3600,
      total_steps: 10,
    });
    expect(trajectory.steps[5]).toMatchObject({ extra: { standing: "rewound", reason: "rewind" } });
  });

  test("is checked by rules that detect errors", async () => {
    const spoil = async (change: (trajectory: Trajectory) => void): Promise<string[]> => {
      const trajectory = await tour<Trajectory>("atif");
      change(trajectory);
      return atifProblems(trajectory);
    };
    const spoils: ((t: Trajectory) => unknown)[] = [
      (t) => t.steps.splice(1, 1),
      (t) => (t["more"] = 1),
      (t) => ((t.steps[0] ?? {})["metrics"] = {}),
      (t) => ((t.steps[1] ?? {})["tool_calls"] = []),
      (t) => ((t.steps[1] ?? {})["timestamp"] = "yesterday"),
      (t) => t.subagent_trajectories.pop(),
      (t) => t.subagent_trajectories.push(...t.subagent_trajectories),
      (t) => (t.steps = []),
    ];
    for (const change of spoils) expect(await spoil(change)).not.toEqual([]);
  });
});

describe("otel", () => {
  interface Span {
    traceId: string;
    spanId: string;
    parentSpanId?: string;
    name: string;
    startTimeUnixNano: string;
    endTimeUnixNano: string;
    attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
    status: { code: number };
  }
  interface Traces {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
  }

  const spansOf = async (): Promise<Span[]> => {
    const { resourceSpans } = await tour<Traces>("otel");
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  };
  const valueOf = (span: Span | undefined, key: string): string | undefined => {
    const value = span?.attributes.find((attribute) => attribute.key === key)?.value;
    return value?.stringValue ?? value?.intValue;
  };

  test("is one trace with one root, with every span inside the time of its parent", async () => {
    const spans = await spansOf();
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    for (const { traceId, spanId } of spans) {
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    }
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.map(({ name }) => name)).toEqual(["invoke_agent Gemini CLI"]);
    for (const span of spans) {
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
      const parent = byId.get(span.parentSpanId ?? "");
      if (!parent) continue;
      expect(BigInt(span.startTimeUnixNano) >= BigInt(parent.startTimeUnixNano)).toBe(true);
      expect(BigInt(span.endTimeUnixNano) <= BigInt(parent.endTimeUnixNano)).toBe(true);
    }
  });

  test("has replies and tools below turns, and the subagent below its call", async () => {
    const spans = await spansOf();
    const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
    const placed = spans.map(
      ({ name, parentSpanId = "" }) => `${names.get(parentSpanId)} > ${name}`,
    );
    expect(placed).toContain("invoke_agent Gemini CLI > invoke_agent Gemini CLI turn 1");
    expect(placed).toContain("invoke_agent Gemini CLI turn 1 > chat gemini-3-pro-preview");
    expect(placed).toContain("invoke_agent Gemini CLI turn 1 > execute_tool replace");
    expect(placed).toContain("execute_tool invoke_agent > invoke_agent Gemini CLI subagent");
    expect(placed).toContain("invoke_agent Gemini CLI subagent > execute_tool grep_search");
  });

  test("has the keys of both conventions, with the same numbers", async () => {
    const spans = await spansOf();
    const replies = spans.filter((span) => valueOf(span, "gen_ai.operation.name") === "chat");
    const own = replies.filter((span) => valueOf(span, "session.id") === TOUR_ID);
    const sum = (key: string): number =>
      own.reduce((total, span) => total + Number(valueOf(span, key)), 0);
    expect(sum("gen_ai.usage.input_tokens")).toBe(6108);
    expect(sum("llm.token_count.prompt")).toBe(6108);
    expect(sum("gen_ai.usage.output_tokens")).toBe(300);
    expect(sum("gen_ai.usage.cache_read.input_tokens")).toBe(3600);
    expect(sum("llm.token_count.total")).toBe(6408);
    const failed = spans.find((span) => valueOf(span, "gen_ai.tool.call.id")?.endsWith("t1"));
    expect(valueOf(failed, "error.type")).toBe("error");
    expect(failed?.status.code).toBe(2);
    expect(valueOf(failed, "openinference.span.kind")).toBe("TOOL");
    expect(parsed<Json[]>(valueOf(replies[0], "gen_ai.output.messages") ?? "")).toMatchObject([
      { role: "assistant", parts: [{ type: "reasoning" }, { type: "tool_call" }] },
    ]);
  });
});

interface ChatMessage {
  role: string;
  content: unknown;
  tool_calls?: { id: string; function: { arguments: string } }[];
  tool_call_id?: string;
}

describe("chat messages", () => {
  test("in the OpenAI format answer every call directly after it", async () => {
    for (const [id, home] of [
      [TOUR_ID, TOUR_HOME],
      ["dddddddd", ODD_HOME],
    ] as const) {
      const text = await writtenText(homeWith(home).library, id, { to: "openai" });
      const { messages } = parsed<{ messages: ChatMessage[] }>(text);
      messages.forEach(({ role, content, tool_calls: calls }, index) => {
        expect(["user", "assistant", "tool"]).toContain(role);
        if (role !== "assistant") expect(content).toBeTypeOf("string");
        const answers = messages.slice(index + 1, index + 1 + (calls?.length ?? 0));
        expect(answers.map((item) => item.tool_call_id)).toEqual(
          (calls ?? []).map((item) => item.id),
        );
        for (const item of calls ?? [])
          expect(parsed(item.function.arguments)).toBeTypeOf("object");
      });
      expect(text).not.toContain("Forget it");
    }
  });

  test("in the Anthropic format alternate, begin with the user, and have valid ids", async () => {
    for (const [id, home] of [
      [TOUR_ID, TOUR_HOME],
      ["dddddddd", ODD_HOME],
    ] as const) {
      const text = await writtenText(homeWith(home).library, id, { to: "anthropic" });
      const { messages } = parsed<{ messages: { role: string; content: Json[] }[] }>(text);
      messages.forEach(({ role, content }, index) => {
        expect(role).toBe(index % 2 === 0 ? "user" : "assistant");
        expect(content.length).toBeGreaterThan(0);
        for (const block of content) {
          if (block["type"] === "text") expect(block["text"]).not.toBe("");
        }
        const used = content.filter(({ type }) => type === "tool_use").map((block) => block["id"]);
        for (const item of used) expect(item).toMatch(/^[A-Za-z0-9_-]+$/);
        const next = messages[index + 1]?.content ?? [];
        const answered = next.slice(0, used.length).map((block) => block["tool_use_id"]);
        expect(answered).toEqual(used);
      });
    }
  });
});

describe("vcon", () => {
  test("has the fields the draft requires, and a redacted reference when masked", async () => {
    const container = await tour<Json & { dialog: Json[]; attachments: Json[] }>("vcon");
    expect(container["uuid"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(container["parties"]).toHaveLength(2);
    for (const dialog of container.dialog) {
      expect(dialog).toMatchObject({ type: "text", encoding: "none", parties: [0, 1] });
      expect(dialog["start"]).toMatch(/Z$/);
    }
    for (const attachment of container.attachments) {
      expect(Object.keys(attachment)).toEqual(expect.arrayContaining(["start", "party", "dialog"]));
      expect(container.dialog[Number(attachment["dialog"])]).toBeDefined();
      expect(parsed(String(attachment["body"]))).toHaveProperty("name");
    }
    const { library } = homeWith(TOUR_HOME);
    const request = { to: "vcon", masking: "masked" } as const;
    const masked = parsed<Json>(await writtenText(library, TOUR_ID, request));
    expect(masked["redacted"]).toMatchObject({ uuid: container["uuid"] });
    expect(masked["uuid"]).not.toBe(container["uuid"]);
  });
});

describe("agent-trace", () => {
  test("gives the lines of every edit, and lists edits whose lines are unknown", async () => {
    const blind = call("replace__b", "replace", {
      args: { file_path: "/home/ada/projects/ledger/b.ts", old_string: "a", new_string: "b" },
      output: "ok",
      seconds: 3,
    });
    const written = call("write_file__c", "write_file", {
      args: { file_path: "/elsewhere/c.txt", content: "one\ntwo\n" },
      output: "ok",
      seconds: 4,
    });
    const failed = call("write_file__d", "write_file", {
      args: { file_path: "/elsewhere/d.txt", content: "x" },
      error: "no",
      status: "error",
    });
    const id = "abababab-0000-4000-8000-000000000000";
    const text = jsonl(header(id), model("g", 2, { toolCalls: [blind, written, failed] }));
    const { library } = homeWith({ "chats/session-2026-02-10T17-28-abababab.jsonl": text });
    const record = parsed<{ files: Json[]; metadata: { pollux: Json } }>(
      await writtenText(library, id, { to: "agent-trace" }),
    );
    expect(record.files.map((file) => file["path"])).toEqual(["b.ts", "/elsewhere/c.txt"]);
    expect(record.files[1]?.["conversations"]).toMatchObject([
      { ranges: [{ start_line: 1, end_line: 2 }] },
    ]);
    expect(record.metadata.pollux["edits_without_known_lines"]).toEqual([
      { path: "b.ts", call_id: "replace__b" },
    ]);
  });
});
