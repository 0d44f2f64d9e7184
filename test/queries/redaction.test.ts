import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Session } from "../../src/core/session/session.ts";
import { Redactor } from "../../src/queries/redaction/redact.ts";
import { loadScanner } from "../../src/queries/redaction/scanner.ts";
import { findSecrets } from "../../src/queries/secrets.ts";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";

/** Made-up secrets, assembled here so that secret scanners do not report this file. */
const letters = (length: number): string => {
  return Array.from({ length }, (_, i) => "aB3dE5gH7jK9mN1pQ"[(i * 7 + (i >> 2)) % 17]).join("");
};
const SECRETS: Record<string, string> = {
  "google-api-key": `AI${"za"}${letters(35)}`,
  "google-oauth-secret": `GOC${"SPX"}-${letters(28)}`,
  "google-oauth-token": `ya${"29"}.${letters(40)}`,
  "aws-access-key-id": `AK${"IA"}QWERTYUIOPASDF12`,
  jwt: `ey${"J"}hbGciOiJIUzI1NiJ9.ey${"J"}zdWIiOiIxMjM0NTY3ODkwIn0.${letters(43)}`,
  "github-token": `gh${"p"}_${letters(36)}`,
  "slack-token": `xo${"xb"}-123456789012-1234567890123-${letters(24)}`,
  "npm-access-token": `np${"m"}_${letters(36)}`,
  "gitlab-token": `gl${"pat"}-${letters(20)}`,
  "stripe-key": `sk_${"live"}_${letters(24)}`,
  "hugging-face-token": `hf_${letters(34)}`,
};
const KEY = [
  `-----BEGIN ${"PRIVATE"} KEY-----`,
  letters(64),
  letters(64),
  `-----END ${"PRIVATE"} KEY-----`,
];

const ID = "bbbbbbbb-0000-4000-8000-000000000000";

function sessionSaying(...texts: string[]): Promise<Session> {
  const lines = texts.map((text, index) => user(`u${index}`, index, text));
  const file = { "chats/session-2026-02-10T17-28-bbbbbbbb.jsonl": jsonl(header(ID), ...lines) };
  return homeWith(file).library.session(ID);
}

async function masked(text: string): Promise<string> {
  const redactor = await Redactor.load({ homeDir: "/home/ada" });
  const { messages } = await redactor.redact(await sessionSaying(text));
  return messages[0]?.text ?? "";
}

describe("secrets", () => {
  test.each(Object.entries(SECRETS))("%s is found and masked", async (kind, secret) => {
    expect(await masked(`my key is ${secret}, keep it`)).toBe(
      `my key is [secret:${kind}#1], keep it`,
    );
  });

  test("in headers, URLs, assignments and key files are found", async () => {
    const token = letters(30);
    expect(await masked(`Authorization: Bearer ${token}`)).toBe(
      "Authorization: Bearer [secret:bearer-token#1]",
    );
    expect(await masked(`postgres://bob:${token}@db:5432/x`)).toMatch(
      /^postgres:\/\/\[secret:[a-z-]+#1\]@db:5432\/x$/,
    );
    expect(await masked(`export DEPLOY_TOKEN="${token}"`)).toBe(
      'export DEPLOY_TOKEN="[secret:assigned-secret#1]"',
    );
    expect(await masked(`AWS_SECRET_ACCESS_KEY=${letters(40)}`)).not.toContain(
      letters(40).slice(0, 12),
    );
    const account = JSON.stringify({ type: "service_account", private_key: KEY.join("\n") });
    expect(await masked(account)).toBe(
      '{"type":"service_account","private_key":"[secret:service-account-key#1]"}',
    );
    expect(await masked(KEY.join("\n"))).toBe("[secret:private-key#1]");
    expect(await masked(`${KEY.slice(0, 2).join("\n")} …`)).not.toContain(letters(64));
  });

  test("cannot be hidden by a comment that disables the rules", async () => {
    const secret = SECRETS["github-token"] ?? "";
    expect(await masked(`// secretlint-disable\n${secret}`)).not.toContain(secret);
  });

  test("have the same mask everywhere, in every session", async () => {
    const redactor = await Redactor.load({});
    const [a, b] = [SECRETS["google-api-key"] ?? "", `AI${"za"}${letters(36).slice(1)}`];
    const first = await redactor.redact(await sessionSaying(`${a} and ${b}`, `again ${a}`));
    const second = await redactor.redact(await sessionSaying(`later ${b}`));
    expect(first.messages.map(({ text }) => text)).toEqual([
      "[secret:google-api-key#1] and [secret:google-api-key#2]",
      "again [secret:google-api-key#1]",
    ]);
    expect(second.messages[0]?.text).toBe("later [secret:google-api-key#2]");
  });

  test("are masked in every field, including arguments, their keys and ids", async () => {
    const secret = SECRETS["google-api-key"] ?? "";
    const file = jsonl(
      header(ID, { summary: `About ${secret}` }),
      user("u1", 1, { text: `typed ${secret}`, displayContent: [{ text: `shown ${secret}` }] }),
      model(`g-${secret}`, 2, {
        text: secret,
        thoughts: [{ subject: secret, description: `because ${secret}` }],
        toolCalls: [
          call(`c-${secret}`, "run_shell_command", {
            args: { command: `curl -H ${secret}`, deep: [{ [secret]: { more: secret } }] },
            output: secret,
            status: secret,
            description: secret,
            resultDisplay: { todos: [{ description: secret, status: secret }] },
          }),
        ],
      }),
      { id: "n", type: "error", timestamp: "x", content: `bad key ${secret}` },
    );
    const session = await homeWith({
      "chats/session-2026-02-10T17-28-bbbbbbbb.jsonl": file,
    }).library.session(ID);
    expect(JSON.stringify(session)).toContain(secret);
    const redactor = await Redactor.load({});
    expect(JSON.stringify(await redactor.redact(session))).not.toContain(secret);
    const counts = redactor.counts();
    expect(counts.secrets).toEqual([
      { kind: "google-api-key", values: 1, masked: expect.any(Number) as number },
    ]);
    expect(counts.secrets[0]?.masked).toBeGreaterThan(12);
  });

  test("never survive, whatever surrounds them", async () => {
    const redactor = await Redactor.load({});
    const secret = fc.constantFrom(...Object.values(SECRETS));
    // A letter next to a secret makes it another word, so only other characters are used.
    const unit = fc.constantFrom(...Array.from(" \n\t\"',;:()[]{}<>|`\u00e9\u4e2d"));
    const text = fc.string({ unit });
    const property = fc.asyncProperty(text, secret, text, async (before, value, after) => {
      const session = await sessionSaying(`${before}${value}${after}`);
      expect(JSON.stringify(await redactor.redact(session))).not.toContain(value);
    });
    await expect(fc.assert(property, { numRuns: 60 })).resolves.toBeUndefined();
  });

  test("are not found in ordinary text and code", async () => {
    const texts = [
      "The api key is read from process.env.GEMINI_API_KEY at start.",
      "const token = await getAccessToken(user); password: string;",
      "GOOGLE_API_KEY=your-key-here GITHUB_TOKEN=<token> SECRET=$SECRET PASSWORD=********",
      "https://example.com:8080/a@b and git@github.com:a/b.git",
      "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "commit 1e6c0968491faa09688196ce2effce889be0a879, id 08c1f87b-ff3b-48ff-9d6f-524e2bbf89b9",
      "Bearer authentication needs a token; see tokens.input and tokens.total in docs/usage.md",
      "/homepage/index.html src/home/page.ts user@example.com",
    ];
    for (const text of texts) expect(await masked(text)).toBe(text);
  });
});

describe("home folders and account names", () => {
  test.each([
    ["/home/ada/projects/x.ts:3", "[home]/projects/x.ts:3"],
    ["cd /home/ada && ls", "cd [home] && ls"],
    ["/home/bob/y and /home/bob", "[home#2]/y and [home#2]"],
    ["/Users/grace/Library", "[home#2]/Library"],
    ["C:\\Users\\Ada Lovelace\\code", "[home#2]\\code"],
    ['{"path":"C:\\\\Users\\\\Ada\\\\x"}', '{"path":"[home#2]\\\\x"}'],
    ["file:///home/ada/a.md", "file://[home]/a.md"],
    ["ada@laptop:~$ whoami → ada", "[user]@laptop:~$ whoami → [user]"],
    ["adapter, Ada95, canada", "adapter, Ada95, canada"],
    ["/home/adam stays apart", "[home#2] stays apart"],
    ["src/home/ada is a folder", "src/home/[user] is a folder"],
  ])("%s", async (text, expected) => {
    expect(await masked(text)).toBe(expected);
  });

  test("an account name that is also a word is not masked in sentences", async () => {
    const redactor = await Redactor.load({ homeDir: "/home/will" });
    const { messages } = await redactor.redact(
      await sessionSaying("I will ask will@host about ~will/x"),
    );
    expect(messages[0]?.text).toBe("I will ask [user#2]@host about ~[user#2]/x");
  });

  test("a generic account name is not masked; an unusual home folder is", async () => {
    const redactor = await Redactor.load({ homeDir: "/srv/admin" });
    const { messages } = await redactor.redact(
      await sessionSaying("admin of /srv/admin/x and /srv/administer"),
    );
    expect(messages[0]?.text).toBe("admin of [home#2]/x and /srv/administer");
  });

  test("are masked in paths outside messages, and counted", async () => {
    const redactor = await Redactor.load({ homeDir: "/home/ada" });
    const session = await redactor.redact(await sessionSaying("hello"));
    expect(session.project.path).toBe("[home]/projects/ledger");
    expect(redactor.counts().homePaths).toBeGreaterThan(0);
    redactor.resetCounts();
    expect(redactor.counts()).toEqual({ secrets: [], homePaths: 0, userNames: 0 });
  });
});

describe("a failing scanner", () => {
  test("causes an error, never an empty answer", async () => {
    const broken = { scan: () => Promise.reject(new Error("no rules")) };
    const redactor = await Redactor.load({ scanner: broken });
    await expect(redactor.redact(await sessionSaying("x".repeat(10)))).rejects.toThrow("no rules");
    await expect(findSecrets([await sessionSaying("x".repeat(10))], broken)).rejects.toThrow(
      "no rules",
    );
  });
});

describe("the list of secrets", () => {
  test("counts a session and its prompt log once", async () => {
    const session = await sessionSaying("nothing");
    expect((await findSecrets([session, { ...session }], await loadScanner())).sessions).toBe(1);
  });

  test("contains places, and never the secret itself", async () => {
    const secret = SECRETS["google-api-key"] ?? "";
    const session = await sessionSaying("nothing", `one ${secret}`, `two ${secret}`);
    const answer = await findSecrets([session], await loadScanner());
    expect(JSON.stringify(answer)).not.toContain(secret.slice(0, 8));
    expect(answer).toMatchObject({
      sessions: 1,
      secrets: [
        { kind: "google-api-key", mask: "[secret:google-api-key#1]", hint: "AIza…", length: 39 },
      ],
    });
    const places = answer.secrets[0]?.places ?? [];
    expect(places.map(({ messageId }) => messageId)).toContain("u2");
    const records = places.find(({ messageId }) => messageId === "u1")?.records;
    expect(records).toEqual([{ file: session.files[0]?.path, line: 3 }]);
  });
});
