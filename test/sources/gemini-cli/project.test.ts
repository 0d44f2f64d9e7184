import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { open } from "../../../src/library/library.ts";
import { projectHash } from "../../../src/sources/gemini-cli/project.ts";
import { madeHome, madeSession } from "../made-home.ts";

const PATH = "/home/ada/projects/ledger";
const HASH = projectHash(PATH);

/** The project of the only session of a home; must be the same in the list and in the session. */
async function projectOf(files: Record<string, string | object>): Promise<string> {
  const library = open({ roots: [madeHome(files)] });
  const [listed] = (await library.sessions()).sessions;
  if (!listed) return "no session";
  const { project } = await library.session(listed.id);
  expect({ name: project.name, path: project.path ?? null }).toEqual({
    name: listed.project.name,
    path: listed.project.path,
  });
  expect(project.knownBy).toBe(listed.project.knownBy);
  return `${project.path ?? project.name} by ${project.knownBy}`;
}

function session(more: object = {}, ...messages: object[]): string {
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  return madeSession("s1", { projectHash: HASH, ...more }) + lines;
}

const IN_SLUG = "tmp/ledger/chats/session-a.jsonl";
const IN_HASH = `tmp/${HASH}/chats/session-a.jsonl`;

function toolCall(args: object, output = ""): object {
  const result = [{ functionResponse: { id: "c1", response: { output } } }];
  const toolCalls = [{ id: "c1", name: "read_file", args, result, status: "success" }];
  return { id: "g1", type: "gemini", content: "", toolCalls };
}

test("the hash of a project is the SHA-256 of its path", async () => {
  expect(HASH).toBe(createHash("sha256").update(PATH).digest("hex"));
  expect(projectHash("/home/ada/é 日本")).toMatch(/^[0-9a-f]{64}$/);
});

describe("a project is known by", () => {
  test("the marker in its folder", async () => {
    expect(await projectOf({ [IN_SLUG]: session(), "tmp/ledger/.project_root": PATH })).toBe(
      `${PATH} by marker`,
    );
  });

  test("the registry, by the folder's name or by the hash of a key", async () => {
    const registry = { "projects.json": { projects: { [PATH]: "ledger" } } };
    expect(await projectOf({ [IN_SLUG]: session(), ...registry })).toBe(`${PATH} by registry`);
    expect(await projectOf({ [IN_HASH]: session(), ...registry })).toBe(`${PATH} by registry`);
  });

  test("the marker in its history", async () => {
    const marker = { "history/ledger/.project_root": PATH };
    expect(await projectOf({ [IN_SLUG]: session(), ...marker })).toBe(`${PATH} by history-marker`);
    expect(await projectOf({ [IN_HASH]: session(), ...marker })).toBe(`${PATH} by history-marker`);
  });

  test("the directories recorded in the session", async () => {
    const directories = [PATH, "/home/ada/other"];
    expect(await projectOf({ [IN_HASH]: session({ directories }) })).toBe(`${PATH} by directories`);
  });

  test("the start context", async () => {
    const listed = `- **Workspace Directories:**\n  - /x\n  - ${PATH}`;
    const text = `<session_context>\n${listed}\n</session_context>`;
    const context = { id: "c", type: "user", content: [{ text }] };
    expect(await projectOf({ [IN_HASH]: session({}, context) })).toBe(`${PATH} by context`);
  });

  test("trusted folders", async () => {
    const trusted = { "trustedFolders.json": { "/home/ada": "x", [PATH]: "TRUST_FOLDER" } };
    expect(await projectOf({ [IN_HASH]: session(), ...trusted })).toBe(
      `${PATH} by trusted-folders`,
    );
  });

  test("a path in a tool call, or a folder above it", async () => {
    for (const key of ["absolute_path", "file_path", "dir_path", "path", "directory"]) {
      const message = toolCall({ [key]: `${PATH}/src/deep/a.ts` });
      expect(await projectOf({ [IN_HASH]: session({}, message) })).toBe(`${PATH} by tool-paths`);
    }
  });

  test("a path in a tool's output", async () => {
    const message = toolCall({}, `Directory listing for ${PATH}:\na.ts`);
    expect(await projectOf({ [IN_HASH]: session({}, message) })).toBe(`${PATH} by tool-paths`);
  });

  test("the path of a referenced file, which was absolute before 0.13", async () => {
    const file = `Content from @${PATH}/a.md:\nx\n--- End of content ---`;
    const content = `Explain @a.md\n--- Content from referenced files ---\n${file}`;
    const message = { id: "u2", type: "user", content };
    expect(await projectOf({ [IN_HASH]: session({}, message) })).toBe(`${PATH} by tool-paths`);
  });

  test("a saved chat in the same folder", async () => {
    const text =
      "This is the Gemini CLI. We are setting up the context for our chat.\n" +
      `I'm currently working in the directory: ${PATH}`;
    const chat = { [`tmp/${HASH}/checkpoint-a.json`]: [{ role: "user", parts: [{ text }] }] };
    expect(await projectOf({ [IN_HASH]: session(), ...chat })).toBe(`${PATH} by context`);
  });

  test("the strongest evidence", async () => {
    const files = {
      [IN_SLUG]: session({ directories: [PATH] }, toolCall({ file_path: `${PATH}/a` })),
      "tmp/ledger/.project_root": PATH,
      "projects.json": { projects: { [PATH]: "ledger" } },
      "trustedFolders.json": { [PATH]: "x" },
    };
    expect(await projectOf(files)).toBe(`${PATH} by marker`);
  });
});

describe("a path is never guessed", () => {
  test("a path with another hash is not used", async () => {
    const message = toolCall({ file_path: "/home/ada/elsewhere/a.ts" });
    const directories = ["/home/ada/elsewhere"];
    const files = { [IN_HASH]: session({ directories }, message) };
    expect(await projectOf(files)).toBe(`${HASH.slice(0, 12)} by hash`);
  });

  test("a folder name is only a name", async () => {
    expect(await projectOf({ [IN_SLUG]: session({ projectHash: "x" }) })).toBe(
      "ledger by folder-name",
    );
  });

  test("a registry that is not JSON is reported and ignored", async () => {
    const library = open({ roots: [madeHome({ [IN_SLUG]: session(), "projects.json": "{" })] });
    const { sessions, coverage } = await library.sessions();
    expect(sessions[0]?.project.path).toBeNull();
    expect(coverage.diagnostics.map(({ code }) => code)).toEqual(["unreadable-file"]);
  });

  test("a registry of another shape is ignored", async () => {
    for (const registry of [[], { projects: [] }, { projects: { a: 1 } }, { __proto__: null }]) {
      expect(await projectOf({ [IN_SLUG]: session(), "projects.json": registry })).toBe(
        "ledger by folder-name",
      );
    }
  });
});

describe("Windows", () => {
  const spelled = "C:\\Users\\Ada\\Ledger";
  const hash = projectHash(spelled);
  const lower = spelled.toLowerCase();

  test("a lower-cased key gets its original spelling from the session", async () => {
    const files = {
      [IN_SLUG]: session({ projectHash: hash }, toolCall({ file_path: `${spelled}\\a.ts` })),
      "tmp/ledger/.project_root": lower,
      "projects.json": { projects: { [lower]: "ledger" } },
    };
    expect(await projectOf(files)).toBe(`${spelled} by marker`);
  });

  test("an upper-case drive letter is tried, too", async () => {
    const path = "C:\\users\\ada\\ledger";
    const files = {
      [`tmp/${projectHash(path)}/chats/session-a.jsonl`]: session({
        projectHash: projectHash(path),
      }),
      "projects.json": { projects: { [path.toLowerCase()]: "ledger" } },
    };
    expect(await projectOf(files)).toBe(`${path} by registry`);
  });

  test("without a spelling of the right hash the key stays unchanged", async () => {
    const files = {
      [IN_SLUG]: session({ projectHash: hash }),
      "projects.json": { projects: { [lower]: "ledger" } },
    };
    expect(await projectOf(files)).toBe(`${lower} by registry`);
  });
});

describe("several sessions of one hash", () => {
  test.each(["a", "z"])("all have the path that one of them reveals (%s)", async (first) => {
    const folder = `tmp/${HASH}/chats`;
    const library = open({
      roots: [
        madeHome({
          [`${folder}/session-${first}.jsonl`]: madeSession("quiet", { projectHash: HASH }),
          [`${folder}/session-m.jsonl`]: session({}, toolCall({ file_path: `${PATH}/a` })),
          [`tmp/${HASH}/logs.json`]: [{ sessionId: "gone", messageId: 0, message: "hi" }],
        }),
      ],
    });
    const { sessions, promptLogs } = await library.sessions();
    expect(sessions.map(({ project }) => project.path)).toEqual([PATH, PATH]);
    expect(promptLogs.map(({ project }) => project.path)).toEqual([PATH]);
    expect((await library.session("quiet")).project.path).toBe(PATH);
  });
});
