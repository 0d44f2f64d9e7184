import { describe, expect, test } from "vitest";
import { exportFiles } from "../../src/exports/exporting.ts";
import { exports } from "../../src/exports/index.ts";
import { UNKNOWN_TOKENS } from "../../src/core/rows/summary.ts";
import type { Session } from "../../src/core/session/session.ts";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { NOW_MS, written, writtenText } from "./written.ts";

const ID = "99999999-0000-4000-8000-000000000000";
const AGENT = "99999999-0000-4000-8000-00000000000a";
/** Invented, and in two parts so that source code scanners do not report this file. */
const SECRET = `AI${"za"}SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q`;
const TOKEN = `gh${"p"}_aB3dE5gH7jK9mN1pQaB3dE5gH7jK9mN1pQaB`;

const HOME = {
  "chats/session-2026-02-10T17-28-99999999.jsonl": jsonl(
    header(ID, { summary: `Use ${SECRET}` }),
    user("u1", 1, `My key is ${SECRET}, I am ada, at /home/ada/x`),
    model("g1", 2, {
      text: `Noted: ${SECRET}`,
      thoughts: [{ subject: "Key", description: SECRET }],
      toolCalls: [
        call("write_file__1", "write_file", {
          args: { file_path: "/home/ada/projects/ledger/.env", content: `KEY=${SECRET}\n` },
          output: `wrote ${TOKEN}`,
          seconds: 3,
          agentId: AGENT,
        }),
      ],
    }),
  ),
  [`chats/${ID}/${AGENT}.jsonl`]: jsonl(
    header(AGENT, { kind: "subagent" }),
    user("s1", 2, `Use ${TOKEN} in /home/ada`),
    model("s2", 2.5, `Used ${TOKEN}`),
  ),
};

describe("masked exports", () => {
  test.each(exports.map((form) => [form.name, form] as const))(
    "%s contains no secret, home path or user name",
    async (to, { tables }) => {
      const { library } = homeWith(HOME);
      for (const table of tables ?? [undefined]) {
        const request = {
          to,
          masking: "masked",
          ...(table === undefined ? {} : { table }),
        } as const;
        const [file] = await written(library, { ids: [ID] }, request);
        const text = file?.bytes.toString("latin1") ?? "";
        expect(text).not.toContain(SECRET);
        expect(text).not.toContain(TOKEN);
        expect(text).not.toContain("/home/ada");
        expect(text).not.toMatch(/\bada\b/);
      }
    },
  );

  test.each(["markdown", "html"])("%s reports how much was masked", async (to) => {
    const { library } = homeWith(HOME);
    const text = await writtenText(library, ID, { to, masking: "masked" });
    expect(text).toMatch(
      /Masked: 2 secrets \(google-api-key 1, github-token 1\), \d+ home paths?,/,
    );
    expect(text).toContain(to === "html" ? "[secret:google-api-key#1]" : "secret:google-api-key#1");
  });

  test.each(["json", "atif", "agent-trace"])("%s contains the mask counts", async (to) => {
    const { library } = homeWith(HOME);
    const text = await writtenText(library, ID, { to, masking: "masked" });
    expect(JSON.stringify(JSON.parse(text))).toMatch(
      /"redaction":\{"secrets":\[\{"kind":"google-api-key"/,
    );
  });

  test("use the same masks in every file of a run", async () => {
    const { library } = homeWith(HOME);
    const request = { to: "jsonl", layout: "each", masking: "masked" } as const;
    const [own, agent] = await written(library, { ids: [ID, AGENT] }, request);
    expect(own?.text).toContain("[secret:github-token#1]");
    expect(agent?.text).toContain("[secret:github-token#1]");
    expect(agent?.text).not.toContain("google-api-key");
  });

  test("are not masked by default", async () => {
    const { library } = homeWith(HOME);
    expect(await writtenText(library, ID, { to: "json" })).toContain(SECRET);
  });
});

describe("a secret scan that fails", () => {
  const source = (
    session: Session,
    scan: () => Promise<never[]>,
  ): Parameters<typeof exportFiles>[1] => ({
    ids: [ID, ID],
    read: async () => {
      const agent = { id: "x", name: "X" };
      const { messages } = session;
      return { session, messages, usage: [], tokens: UNKNOWN_TOKENS, subsessions: [], agent };
    },
    scanner: { scan },
  });

  test("writes no file at all", async () => {
    const session = await homeWith(HOME).library.session(ID);
    let calls = 0;
    const failing = source(session, () => {
      calls += 1;
      return calls > 1 ? Promise.reject(new Error("rules are gone")) : Promise.resolve([]);
    });
    const request = { to: "jsonl", masking: "masked", nowMs: NOW_MS } as const;
    const files: unknown[] = [];
    const run = async (): Promise<void> => {
      for await (const file of exportFiles(request, failing)) files.push(file);
    };
    await expect(run()).rejects.toMatchObject({
      code: "scan-failed",
      message: "The search for secrets failed, so nothing was written.",
    });
    expect(files).toEqual([]);
  });
});
