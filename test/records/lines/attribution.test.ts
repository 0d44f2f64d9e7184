import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../../src/sources/claude-code/index.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import { recordOf } from "../made.ts";

/** Sessions of the demo. */
const home = join(import.meta.dirname, "../../../demo/home");

interface Range {
  "start-line": number;
  "end-line": number;
  "content-hash": string;
}

interface Attributed {
  ranges: Record<string, [number, number, string][]>;
  notes: Record<string, unknown>;
}

async function attributedOf(folder: string, id: string): Promise<Attributed> {
  const record = await recordOf(join(home, folder), {}, id);
  const { files = [] } = (record["file-attribution"] ?? {}) as {
    files?: { path: string; conversations: { ranges: Range[] }[] }[];
  };
  const described = (record["x-attribution"] ?? { files: [] }) as {
    files: { path: string; known: boolean; "why-not"?: string }[];
  };
  return {
    ranges: Object.fromEntries(
      files.map(({ path, conversations }) => {
        const ranges = conversations.flatMap((conversation) => conversation.ranges);
        return [
          path,
          ranges.map((range): [number, number, string] => [
            range["start-line"],
            range["end-line"],
            range["content-hash"],
          ]),
        ];
      }),
    ),
    notes: Object.fromEntries(
      described.files.map(({ path, known, "why-not": why }) => [path, why ?? known]),
    ),
  };
}

function hashOf(...lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

describe("line ranges written by a session", () => {
  it("of Claude Code: written, edited, and edited again", async () => {
    expect(await attributedOf(".claude", "ce130b2b")).toMatchObject({
      ranges: {
        "NOTES.md": [[1, 3, expect.any(String)]],
        "src/vat.ts": [[4, 7, expect.any(String)]],
      },
      notes: { "NOTES.md": true, "src/vat.ts": true },
    });
    const { ranges } = await attributedOf(".claude", "71125956");
    expect(ranges["src/invoice.ts"]).toEqual([
      [10, 10, hashOf("  return { number: nextNumber(), total: order.total };")],
    ]);
  });

  it("of Claude Code: the edits of one call are made one after the other (1.0.124)", () => {
    const native = claudeCode.abilities.native;
    if (native?.kind !== "lines") throw new Error("Its records are lines.");
    const read = native.actReader();
    const edits = [
      { old_string: "First", new_string: "Very first", replace_all: false },
      { old_string: "note", new_string: "remark", replace_all: true },
    ];
    const input = { file_path: "/p/notes.md", edits };
    const text = "First note.\nSecond note.\n";
    const made = { filePath: "/p/notes.md", edits, originalFileContents: text };
    read({ message: { content: [{ type: "tool_use", id: "c1", name: "MultiEdit", input }] } });
    const result = { type: "tool_result", tool_use_id: "c1", content: "Applied 2 edits" };
    const parts = [
      { extent: "part", before: "First", after: "Very first" },
      { extent: "part", before: "note", after: "remark", times: "all" },
    ];
    expect(read({ message: { content: [result] }, toolUseResult: made })).toEqual([
      {
        callId: "c1",
        acts: [
          { kind: "read", path: "/p/notes.md", text },
          { kind: "edit", path: "/p/notes.md", parts, hand: "ai" },
        ],
      },
    ]);
  });

  it("of Codex: of files added by a patch; unknown for files it never read", async () => {
    const added = await attributedOf(".codex", "01a17c56");
    expect(added.ranges["systemd/certs.service"]).toEqual([
      [
        1,
        6,
        hashOf(
          "[Unit]",
          "Description=Renew certificates",
          "",
          "[Service]",
          "Type=oneshot",
          "ExecStart=/opt/infra/certs.sh",
        ),
      ],
    ]);
    expect(await attributedOf(".codex", "01a1d04f")).toEqual({
      ranges: { "src/stock.ts": [] },
      notes: { "src/stock.ts": "the text of the file before the edit is not recorded" },
    });
  });

  it("of Qwen Code: from displays with both texts", async () => {
    const { ranges } = await attributedOf(".qwen", "fc493d7f");
    const line = '<p class="nota">Preços válidos até 31 de dezembro de 2026.</p>';
    expect(ranges).toEqual({ "menu.html": [[5, 5, hashOf(line)]] });
  });

  it("are followed through patches of files that the session added itself", () => {
    const read = codex.abilities.native?.kind === "lines" ? codex.abilities.native.actReader() : [];
    if (Array.isArray(read)) throw new Error("Its records are lines.");
    const item = (payload: object): object => ({ type: "response_item", payload });
    const patch = (id: string, input: string): object[] => [
      item({ type: "custom_tool_call", name: "apply_patch", call_id: id, input }),
      item({
        type: "custom_tool_call_output",
        call_id: id,
        output: JSON.stringify({ output: "Success. Updated the following files:\nA a\n" }),
      }),
    ];
    const lines = [
      { type: "turn_context", payload: { cwd: "/p", model: "m" } },
      ...patch("c1", "*** Begin Patch\n*** Add File: a\n+one\n+two\n*** End Patch"),
      ...patch("c2", "*** Begin Patch\n*** Update File: a\n@@\n one\n-two\n+three\n*** End Patch"),
      ...patch("c3", "*** Begin Patch\n*** Delete File: a\n*** End Patch"),
    ];
    const edit = (part: object): object => {
      return { kind: "edit", path: "/p/a", parts: [part], hand: "ai" };
    };
    expect(lines.flatMap((line) => read(line as Record<string, unknown>))).toEqual([
      {
        callId: "c1",
        model: "m",
        acts: [edit({ extent: "whole", before: "", after: "one\ntwo\n" })],
      },
      {
        callId: "c2",
        model: "m",
        acts: [edit({ extent: "part", before: "one\ntwo\n", after: "one\nthree\n" })],
      },
      {
        callId: "c3",
        model: "m",
        acts: [{ kind: "unclear", path: "/p/a", why: "the file was deleted or moved" }],
      },
    ]);
  });
});
