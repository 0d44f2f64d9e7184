// @module-tag slow
import { describe, expect, test } from "vitest";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Masker } from "../../src/queries/redaction/masker.ts";
import { RULE_KINDS } from "../../src/queries/redaction/own-rules.ts";
import { loadScanner } from "../../src/queries/redaction/scanner.ts";
import { TOKEN_KINDS } from "../../src/queries/redaction/token-formats.ts";
import { disguisesOf, KINDS, plantedSecrets, secretPartOf } from "../samples/planted-secrets.ts";

const scanner = await loadScanner();

async function masked(text: string): Promise<string> {
  const masker = new Masker();
  masker.learnSecrets(await scanner.scan(text));
  return masker.maskSecrets(text);
}

/** No usable part of the secret is left. */
function isGone(text: string, secret: string): boolean {
  const middle = Math.floor(secret.length / 2);
  return !text.includes(secret) && !text.includes(secret.slice(middle - 6, middle + 6));
}

describe("planted secrets", () => {
  test("of more than fifty kinds: at least 98% are masked, and every Google key", async () => {
    expect(Object.keys(KINDS).length).toBeGreaterThanOrEqual(50);
    const missed: string[] = [];
    let planted = 0;
    for (const { kind, value, text } of plantedSecrets(20261115, 2)) {
      planted += 1;
      // In JSON the line ends of a key are escaped.
      const lines = secretPartOf(kind, value).split("\n");
      const left = await masked(text);
      if (!lines.every((line) => isGone(left, line) || line.startsWith("-----")))
        missed.push(`${kind}: ${text}`);
    }
    expect(1 - missed.length / planted, missed.join("\n")).toBeGreaterThanOrEqual(0.98);
    expect(missed.filter((kind) => kind.startsWith("google"))).toEqual([]);
  });

  const key = ["AI", "zaSyD3mo-Only-0123456789abcdefghijklm"].join("");
  const password = "Xk29vbQw71";
  const cookie = "f3a9c07be1d24485a6b0";

  test.each([
    [`https://maps.example.org/?q%3D1%26key%3D${key}%26a`, key],
    [`maps_${key}`, key],
    [`x${key} `, key],
    [`x${key}_`, key],
    [`"stdout":"TOKEN\\\\n${key}\\\\nDONE"`, key],
    [`\u001b[32mx\u001b[0m${key}`, key],
    [`MYSQL_PWD='${password}' mysql -uroot`, password],
    [`curl \\\n  --silent \\\n  --user=ada:${password} \\\n  https://example.org`, password],
    [`mysql -uroot -p'${password}' app`, password],
    [`mysqldump -u root -p"${password}" app`, password],
    [`redis-cli -h db -a ${password} ping`, password],
    [`docker login -u ada -p ${password} registry.example.org`, password],
    [`curl -b 'theme=dark; sessionid=${cookie}' https://example.org`, cookie],
  ])("are masked in commands, URLs and identifiers: %s", async (text, secret) => {
    expect(await masked(text)).not.toContain(secret);
  });

  test.each(["google-api-key", "github-token", "digitalocean-token", "anthropic-key"])(
    "%s is masked in encoded forms, too",
    async (kind) => {
      const secret =
        [...plantedSecrets(7, 1)].find((planted) => planted.kind === kind)?.value ?? "";
      for (const [how, text] of Object.entries(disguisesOf(secret))) {
        expect(await masked(text), how).toMatch(/\[secret:/);
      }
    },
  );

  test.each([
    "AKIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    `sk_${"test"}_4eC39HqLyjWDarjtT1zdp7dc`,
    "curl -u user:password https://example.org",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "export API_KEY=your_api_key_here",
    "STORAGE_KEY = 'ledger-state-v2'",
    "cacheKey: d41d8cd98f00b204e9800998ecf8427e",
    "MYSQL_PWD=$PASSWORD mysql -uroot",
    '{"auth": "required"}',
  ])("%s is a documentation example and is not masked", async (text) => {
    expect(await masked(text)).toBe(text);
  });
});

/** All strings in a recorded value. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

/** All messages in the session files below a folder: lines, or the messages of a document. */
function* messagesBelow(folder: string): Generator {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* messagesBelow(path);
    else if (entry.name.endsWith(".jsonl")) {
      yield* readFileSync(path, "utf8").split("\n").flatMap(parsed);
    } else if (entry.name.endsWith(".json")) {
      const documents = parsed(readFileSync(path, "utf8"));
      for (const document of documents) yield* listsIn(document) ?? [document];
    }
  }
}

/** Returns nothing for a torn line or document. */
function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function listsIn(document: unknown): unknown[] | undefined {
  if (Array.isArray(document)) return document;
  const { messages, history, items } = Object(document) as Record<string, unknown>;
  return [messages, history, items].find((list) => Array.isArray(list));
}

/** Prefixes of made-up keys that were planted in the recorded sessions. */
const PLANTED = [["ghp_", "FAKE"], ["sk-proj-", "AbCd"], ["AIzaSy", "FAKE"]].map((piece) => piece.join("")); // prettier-ignore

test("recorded conversations have at most one false finding per hundred messages", async () => {
  let messages = 0;
  const findings: string[] = [];
  let batch: string[] = [];
  const scan = async (): Promise<void> => {
    findings.push(...(await scanner.scan(batch.join("\n\u0000\n"))).map(({ kind, value }) => `${kind} ${value.slice(0, 12)}`)); // prettier-ignore
    batch = [];
  };
  for (const message of messagesBelow(join(import.meta.dirname, "../fixtures/corpora"))) {
    const text = JSON.stringify(message) ?? "";
    if (!/"(?:text|content|output|thinking|message)"/.test(text) || text.length > 200_000) continue;
    messages += 1;
    batch.push(...stringsOf(message));
    if (batch.length > 2000) await scan();
  }
  await scan();
  expect(messages).toBeGreaterThan(1000);
  const wrong = findings.filter((finding) => !PLANTED.some((part) => finding.includes(part)));
  expect(wrong.length / messages, [...new Set(wrong)].join("\n")).toBeLessThanOrEqual(0.01);
  expect(PLANTED.filter((part) => !findings.some((finding) => finding.includes(part)))).toEqual([]);
}, 120_000);

test("the guide names all of our own kinds", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/sharing.md"), "utf8");
  const missing = [...TOKEN_KINDS, ...RULE_KINDS].filter((kind) => !guide.includes(`\`${kind}\``));
  expect(missing).toEqual([]);
});
