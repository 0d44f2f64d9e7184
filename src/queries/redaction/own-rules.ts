import {
  isBasicCredentials,
  isDocumented,
  isGenerated,
  isPassword,
  isPlaceholder,
  looksRandom,
} from "./likely-values.ts";
import type { FoundSecret } from "./secret.ts";
import { scanTokens } from "./token-formats.ts";
import { isWordStart, WORD_END } from "./word-edges.ts";

/** Rules beyond the maintained ones. The secret is the group `secret`, or the whole match. */
interface OwnRule {
  kind: string;
  pattern: RegExp;
  /** The match must begin at the start of a word. */
  isWord?: true;
  isLikely?: (value: string, name: string) => boolean;
}

/** Base64 lines; line endings may be written as `\n` inside JSON. */
const KEY_BODY = String.raw`[A-Za-z0-9+/=\s\\:,.-]`;
const QUOTE = String.raw`\\*["']`;

/** Arguments of a command, also on continued lines. */
const ARGUMENTS = String.raw`(?:[^\n|;&]|\\\r?\n){0,1000}?\s`;
const ARGUMENT = String.raw`["']?(?<secret>[^\s"'-][^\s"']{2,})`;

/** Endings of secret names; matched first, because that is fast. */
const NAME_END =
  "KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PWD|[Kk]ey|[Ss]ecret|[Tt]oken|[Pp]assword";
/** Names that hold a secret: `API_KEY`, `clientSecret`, `access-token`. */
const SECRET_NAME = new RegExp(
  "(?:(?:API|ACCESS|SECRET|PRIVATE)_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|_PWD|" +
    "(?:[Aa]pi|[Ss]ecret|[Aa]ccess|[Pp]rivate)[_-]?[Kk]ey|[Cc]lient[_-]?[Ss]ecret|" +
    "(?:[Aa]ccess|[Aa]uth|[Rr]efresh|[Ss]ession|[Ss]ecurity)[_-]?[Tt]oken|[Pp]assword)$",
);
/** Names of keys that are public or only identify a record. */
const HARMLESS_NAME =
  /(?:public|publishable|anon|cache|primary|foreign|sort|partition|idempotency|object|host|page)[_-]?(?:key|token)$/i;

/** Ordered: if two rules match the same text, the first names the secret. */
const RULES: readonly OwnRule[] = [
  // "private_key": "-----BEGIN PRIVATE KEY-----\nMIIE…"
  {
    kind: "service-account-key",
    pattern: new RegExp(
      `private_key${QUOTE}\\s*:\\s*${QUOTE}(?<secret>-----BEGIN${KEY_BODY}{40,})`,
      "g",
    ),
  },
  {
    kind: "service-account-key-id",
    pattern: new RegExp(`private_key_id${QUOTE}\\s*:\\s*${QUOTE}(?<secret>[0-9a-f]{40})`, "g"),
  },
  // Also matches if the end was cut off.
  {
    kind: "private-key",
    pattern: new RegExp(
      `-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----${KEY_BODY}{20,}?` +
        `(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?=[^A-Za-z0-9+/=\\s\\\\:,.-])|$)`,
      "g",
    ),
  },
  {
    kind: "jwt",
    isWord: true,
    pattern: /eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g,
  },
  {
    kind: "telegram-bot-token",
    isWord: true,
    pattern: new RegExp(String.raw`\d{8,10}:AA[\w-]{33}${WORD_END}`, "g"),
  },
  {
    kind: "discord-bot-token",
    isWord: true,
    pattern: new RegExp(
      String.raw`(?<!-)[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?!-)${WORD_END}`,
      "g",
    ),
  },
  {
    kind: "discord-webhook",
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,}\/(?<secret>[\w-]{40,})/g,
  },
  {
    kind: "slack-webhook",
    pattern:
      /hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Z0-9]{8,}\/[A-Z0-9]{8,}\/[\w/]{16,})/g,
  },
  {
    kind: "teams-webhook",
    pattern:
      /webhook\.office\.com\/webhookb2\/(?<secret>[\w@-]{36,}\/IncomingWebhook\/[0-9a-f]{32}\/[\w-]{36})/g,
  },
  {
    kind: "mailchimp-key",
    isWord: true,
    pattern: new RegExp(String.raw`[0-9a-f]{32}-us\d{1,2}${WORD_END}`, "g"),
  },
  {
    kind: "azure-client-secret",
    isWord: true,
    pattern: new RegExp(
      String.raw`(?<![~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![~.-])${WORD_END}`,
      "g",
    ),
  },
  { kind: "azure-sas-signature", pattern: /[?&]sig=(?<secret>[A-Za-z0-9%+/]{40,}(?:%3D|=)?)/g },
  {
    kind: "firebase-server-key",
    isWord: true,
    pattern: new RegExp(String.raw`(?<!-)AAAA[\w-]{7}:[\w-]{140}(?!-)${WORD_END}`, "g"),
  },
  { kind: "azure-storage-key", pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{80,}={0,2})/g },
  // postgres://bob:hunter22@db/x
  {
    kind: "url-credentials",
    pattern: /\w:\/\/(?<secret>[^\s:/@"'<>]*:[^\s/@"'<>]{3,})(?=@[\w[])/gi,
    isLikely: (value) => !isPlaceholder(value.slice(value.indexOf(":") + 1)),
  },
  {
    kind: "bearer-token",
    pattern: /bearer\s+(?<secret>[A-Za-z0-9._~+/-]{16,}=*)/gi,
    isLikely: looksRandom,
  },
  // Authorization: token 0123…, Authorization: ApiKey …
  {
    kind: "bearer-token",
    pattern:
      /authorization["']?\s*[:=]\s*["']?(?:token|api-?key|key)[\s=]+["']?(?<secret>[\w.~+/-]{16,}=*)/gi,
    isLikely: looksRandom,
  },
  {
    kind: "basic-credentials",
    pattern: /authorization["']?\s*[:=]\s*["']?basic\s+(?<secret>[A-Za-z0-9+/]{8,}={0,2})/gi,
  },
  // "auth": "YWRh…" of Docker, _auth=YWRh… of npm
  {
    kind: "basic-credentials",
    pattern: /(?:["']auth["']\s*:\s*["']|_auth\s*=\s*["']?)(?<secret>[A-Za-z0-9+/]{8,}={0,2})/g,
    isLikely: isBasicCredentials,
  },
  // X-Api-Key: …, X-Auth-Key: …, X-Vault-Token: …
  {
    kind: "api-key-header",
    pattern:
      /x-(?:[a-z]+-){0,3}(?:(?:api|auth|access)-?key|token)["']?\s*[:=]\s*["']?(?<secret>[\w.+/-]{16,}=*)/gi,
    isLikely: looksRandom,
  },
  // curl -u ada:hunter22 https://…, curl -sSLu ada:hunter22
  {
    kind: "command-credentials",
    pattern: new RegExp(
      String.raw`curl\b${ARGUMENTS}(?:-u|-[A-Za-z#]+u\s|--user|--proxy-user)[\s=]*["']?` +
        String.raw`(?<secret>[^\s:"']+:[^\s"']{3,})`,
      "g",
    ),
    isLikely: (value) => !isPlaceholder(value.slice(value.indexOf(":") + 1)),
  },
  // mysql -uroot -phunter22
  {
    kind: "command-password",
    pattern: new RegExp(`(?:mysql|mysqldump|mysqladmin|mariadb)\\b${ARGUMENTS}-p${ARGUMENT}`, "g"),
    isLikely: isPassword,
  },
  // redis-cli -a hunter22, mongosh -p hunter22, docker login -u ada -p hunter22
  {
    kind: "command-password",
    pattern: new RegExp(
      String.raw`(?:redis-cli\b${ARGUMENTS}-a|` +
        String.raw`(?:mongo(?:sh|dump|restore|export|import)?|` +
        String.raw`(?:docker|podman|nerdctl|buildah|skopeo|oras|helm\s+registry|az)\s+login)\b` +
        String.raw`${ARGUMENTS}-p)[\s=]+${ARGUMENT}`,
      "g",
    ),
    isLikely: isPassword,
  },
  {
    kind: "command-password",
    pattern: /sshpass\s+-p\s*["']?(?<secret>[^\s"']{3,})/g,
    isLikely: isPassword,
  },
  // MYSQL_PWD=hunter mysql -uroot
  {
    kind: "command-password",
    pattern: new RegExp(`(?:MYSQL_PWD|PGPASSWORD|REDISCLI_AUTH|SSHPASS)=${ARGUMENT}`, "g"),
    isLikely: isPassword,
  },
  {
    kind: "command-password",
    pattern: /\s--(?:password|passwd|passphrase)[= ]["']?(?<secret>[^\s"'-][^\s"']{3,})/g,
    isLikely: isPassword,
  },
  // machine api.example.org login ada password hunter22
  {
    kind: "netrc-password",
    pattern: /machine\s+\S+\s+login\s+\S+\s+password\s+(?<secret>\S{3,})/g,
    isLikely: isPassword,
  },
  // Cookie: theme=dark; sessionid=…
  {
    kind: "session-cookie",
    pattern: new RegExp(
      String.raw`cookie["']?\s*[:=][^\n]{0,2000}?(?:sess|sid|auth|token|jwt|remember)[\w.-]{0,100}=` +
        String.raw`(?<secret>[A-Za-z0-9%._~+/=-]{16,})`,
      "gi",
    ),
    isLikely: looksRandom,
  },
  // Cookies of common frameworks, also outside a Cookie header.
  {
    kind: "session-cookie",
    pattern:
      /(?:\.AspNetCore\.[\w.]+|\.ASPXAUTH|wordpress_(?:logged_in|sec)_\w+)=(?<secret>[\w%.~+/|=-]{16,})/g,
    isLikely: looksRandom,
  },
  // A line of a Netscape cookie file: domain, subdomains, path, secure, expiry, name, value.
  {
    kind: "session-cookie",
    pattern:
      /[\t ](?:TRUE|FALSE)[\t ]+\/\S*[\t ]+(?:TRUE|FALSE)[\t ]+\d+[\t ]+\S+[\t ]+(?<secret>\S{16,})/g,
    isLikely: looksRandom,
  },
  // curl -b 'sessionid=…'
  {
    kind: "session-cookie",
    pattern: new RegExp(
      String.raw`curl\b${ARGUMENTS}(?:-b|--cookie)[\s=]*["']?[^"'\n]*?` +
        String.raw`(?:sess|sid|auth|token|jwt)[\w.-]*=(?<secret>[\w%.~+/-]{16,})`,
      "gi",
    ),
    isLikely: looksRandom,
  },
  // GITHUB_TOKEN=…, "client_secret": "…", password: '…'. A lookahead matches the value, because it
  // may be an assignment itself: "key": "API_KEY=…"
  {
    kind: "assigned-secret",
    pattern: new RegExp(
      String.raw`(?:${NAME_END})(?<=(?<name>[\w-]{1,60}))["'\\]*\s*(?:=>|[=:])\s*["'\\]*` +
        String.raw`(?=(?<secret>[^\s"'\x60,;<>(){}[\]\\]{8,1200}))`,
      "g",
    ),
    isLikely: (value, name) => {
      if (!SECRET_NAME.test(name)) return !HARMLESS_NAME.test(name) && isGenerated(value);
      return looksRandom(value) && !isPlaceholder(value);
    },
  },
];

/** Finds secrets by context (`RULES`) and by prefix (token formats). */
export function scanByOwnRules(text: string): FoundSecret[] {
  return [...scanRules(text), ...scanTokens(text)].filter(({ value }) => !isDocumented(value));
}

/** All kinds of secrets, for the documentation. */
export const RULE_KINDS: readonly string[] = [...new Set(RULES.map(({ kind }) => kind))].toSorted();

function scanRules(text: string): FoundSecret[] {
  return RULES.flatMap(({ kind, pattern, isWord, isLikely }) =>
    [...text.matchAll(pattern)].flatMap((match): FoundSecret[] => {
      if (isWord && !isWordStart(text, match.index)) return [];
      const value = (match.groups?.["secret"] ?? match[0]).trim().replace(/\\+$/, "");
      if (isLikely && !isLikely(value, match.groups?.["name"] ?? "")) return [];
      return [{ kind, value, start: text.indexOf(value, match.index) }];
    }),
  );
}
