import { PolluxError } from "../../core/error.ts";
import { scanDisguised } from "./disguises.ts";
import { isDocumented } from "./likely-values.ts";
import { scanByOwnRules } from "./own-rules.ts";
import type { FoundSecret, Scanner } from "./secret.ts";
import { TEXT_BORDER } from "./secret.ts";

/**
 * Combines the maintained rules with our own. The maintained rules are loaded on first use and
 * tried on a sample: rules that find nothing are broken.
 */
export async function loadScanner(): Promise<Scanner> {
  const scanByMaintainedRules = await loadMaintainedRules();
  const scanner: Scanner = {
    scan: async (text) => {
      const own = scanByOwnRules(text);
      const maintained = (await scanByMaintainedRules(text)).filter(isSecret);
      const disguised = scanDisguised(text, scanByOwnRules, own);
      return [...maintained, ...own, ...disguised].flatMap(withoutBorders);
    },
  };
  await tryOut(scanner);
  return scanner;
}

function isSecret({ value }: FoundSecret): boolean {
  return !isDocumented(value);
}

type Scan = (text: string) => Promise<FoundSecret[]>;

async function loadMaintainedRules(): Promise<Scan> {
  const { lintSource } = await import("@secretlint/core");
  const { creator } = await import("@secretlint/secretlint-rule-preset-recommend");
  const config = {
    rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }],
  };
  return async (text) => {
    // A comment in the text can disable these rules; session text must not be able to.
    const content = text.replace(/secretlint-(?=disable|enable)/gi, "secretlint_");
    const source = { filePath: "session.txt", ext: ".txt", contentType: "text" as const, content };
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
    return messages.map((message) => foundBy(message, text));
  };
}

interface Message {
  messageId: string;
  range: readonly number[];
  data?: unknown;
}

/** The reported range is sometimes wrong (for AWS keys), so the reported value is searched for. */
function foundBy(message: Message, text: string): FoundSecret {
  const [from = 0, to = from] = message.range;
  const reported = Object.values((message.data ?? {}) as Record<string, unknown>)
    .filter((value): value is string => typeof value === "string" && text.includes(value))
    .toSorted((a, b) => b.length - a.length)[0];
  const value = credentialsOf(reported ?? text.slice(from, to));
  const near = text.indexOf(value, from);
  const start = near === -1 ? text.indexOf(value) : near;
  return { kind: kebab(message.messageId), value, start };
}

/** Of `https://user:password@host/path`, only `user:password` is secret. */
function credentialsOf(value: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^\s/@]*:[^\s/@]+)@/i.exec(value)?.[1] ?? value;
}

/** `AWSSecretAccessKey`, `GITHUB_TOKEN` → `aws-secret-access-key`, `github-token` */
function kebab(messageId: string): string {
  return messageId
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .toLowerCase();
}

function withoutBorders(found: FoundSecret): FoundSecret[] {
  if (!found.value.includes("\u0000")) return [found];
  const pieces = found.value.split(TEXT_BORDER).filter((piece) => piece.length >= 8);
  return pieces.map((value) => ({ ...found, value }));
}

/** Invented, and joined here so that scanners of source code do not report them. */
const SAMPLES: readonly string[] = [
  ["AI", "zaSyD3mo-Only-0123456789abcdefghijklm"].join(""),
  ["ghp", "aB3dE5gH7jK9mN1pQaB3dE5gH7jK9mN1pQaB"].join("_"),
];

async function tryOut(scanner: Scanner): Promise<void> {
  const found = await scanner.scan(SAMPLES.join("\n"));
  const values = new Set(found.map(({ value }) => value));
  if (SAMPLES.every((sample) => values.has(sample))) return;
  throw new PolluxError("scan-failed", "Secrets cannot be masked: the scanner failed to load.", {
    remedy: "Nothing was written. Install Pollux again, or leave out masking.",
  });
}
