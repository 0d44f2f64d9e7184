/**
 * Made-up secrets of more than fifty kinds, in texts as people and programs write them. Assembled
 * from pieces, so that secret scanners do not report this file.
 */
export interface PlantedSecret {
  kind: string;
  value: string;
  text: string;
}

const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WORD = `${ALNUM}_-`;

/** A seeded random generator: the same set in every run. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }

  /** Random characters of an alphabet; begins and ends with a letter or a digit. */
  of(alphabet: string, length: number): string {
    const made = Array.from({ length }, () => this.pick(alphabet.split(""))).join("");
    const ends = alphabet.split("").filter((sign) => /[A-Za-z0-9]/.test(sign));
    return this.pick(ends) + made.slice(1, -1) + this.pick(ends);
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

type Make = (dice: Dice) => string;
const join = (...pieces: string[]): string => pieces.join("");

/** Generates a secret of each kind. */
export const KINDS: Readonly<Record<string, Make>> = {
  "artifactory-key": (d) => join("AK", "Cp", d.of(ALNUM, 69)),
  "aws-bedrock-key": (d) => join("ABSK", "QmVkcm9ja0FQSUtleS", d.of(ALNUM, 90)),
  "contentful-token": (d) => join("CF", "PAT-", d.of(WORD, 43)),
  "crates-io-token": (d) => join("c", "io", d.of(ALNUM, 32)),
  "gitlab-feed-token": (d) => join("gl", "ft-", d.of(WORD, 20)),
  "nvidia-key": (d) => join("nv", "api-", d.of(WORD, 64)),
  "onepassword-secret-key": (d) =>
    join("A", "3-", [6, 11, 5, 5, 5].map((length) => d.of(UPPER, length)).join("-")),
  "pinecone-key": (d) => join("pc", "sk_", d.of(ALNUM, 6), "_", d.of(ALNUM, 63)),
  "posthog-key": (d) => join("ph", "x_", d.of(ALNUM, 43)),
  "tavily-key": (d) => join("tv", "ly-dev-", d.of(ALNUM, 32)),
  "google-api-key": (d) => join("AI", "za", d.of(WORD, 35)),
  "google-oauth-secret": (d) => join("GOC", "SPX-", d.of(WORD, 28)),
  "google-oauth-token": (d) => join("ya", "29.", d.of(WORD, 60)),
  "google-refresh-token": (d) => join("1/", "/0", d.of(WORD, 40)),
  "aws-access-key-id": (d) => join("AK", "IA", d.of(UPPER, 16)),
  "aws-secret-key": (d) => join("AWS_SECRET_ACCESS_", "KEY=", d.of(`${ALNUM}+/`, 40)),
  "github-token": (d) => join("gh", "p_", d.of(ALNUM, 36)),
  "github-fine-grained": (d) => join("github", "_pat_", d.of(ALNUM, 22), "_", d.of(ALNUM, 59)),
  "gitlab-token": (d) => join("gl", "pat-", d.of(WORD, 20)),
  "slack-token": (d) => join("xo", "xb-", d.of("123456789", 12), "-", d.of(ALNUM, 24)),
  "slack-webhook": (d) =>
    join("https://hooks.", "slack.com/services/T", d.of(UPPER, 8), "/B", d.of(UPPER, 10), "/", d.of(ALNUM, 24)), // prettier-ignore
  "discord-token": (d) => join("M", d.of(ALNUM, 23), ".", d.of(WORD, 6), ".", d.of(WORD, 38)),
  "discord-webhook": (d) =>
    join("https://disc", "ord.com/api/webhooks/", d.of("123456789", 18), "/", d.of(WORD, 68)),
  "digitalocean-token": (d) => join("do", "p_v1_", d.of(HEX, 64)),
  "pypi-token": (d) => join("py", "pi-AgEIcHlwaS5vcmc", d.of(WORD, 70)),
  "vault-token": (d) => join("hv", "s.", d.of(WORD, 90)),
  "databricks-token": (d) => join("da", "pi", d.of(HEX, 32)),
  "sendgrid-key": (d) => join("S", "G.", d.of(WORD, 22), ".", d.of(WORD, 43)),
  "npm-token": (d) => join("np", "m_", d.of(ALNUM, 36)),
  "openai-key": (d) => join("sk-", "proj-", d.of(WORD, 48)),
  "anthropic-key": (d) => join("sk-", "ant-api03-", d.of(WORD, 80)),
  "openrouter-key": (d) => join("sk-", "or-v1-", d.of(HEX, 64)),
  "dashscope-key": (d) => join("sk", "-", d.of(HEX, 32)),
  "groq-key": (d) => join("gs", "k_", d.of(ALNUM, 52)),
  "hugging-face-token": (d) => join("h", "f_", d.of(ALNUM, 34)),
  "replicate-token": (d) => join("r", "8_", d.of(ALNUM, 37)),
  "perplexity-key": (d) => join("pp", "lx-", d.of(ALNUM, 48)),
  "xai-key": (d) => join("x", "ai-", d.of(ALNUM, 80)),
  "langsmith-key": (d) => join("lsv2", "_pt_", d.of(HEX, 32), "_", d.of(HEX, 10)),
  "stripe-key": (d) => join("sk_", "live_", d.of(ALNUM, 24)),
  "stripe-webhook-secret": (d) => join("wh", "sec_", d.of(ALNUM, 32)),
  "square-token": (d) => join("sq0", "atp-", d.of(WORD, 22)),
  "shopify-token": (d) => join("sh", "pat_", d.of(HEX, 32)),
  "twilio-key": (d) => join("S", "K", d.of(HEX, 32)),
  "mailgun-key": (d) => join("ke", "y-", d.of(HEX, 32)),
  "mailchimp-key": (d) => join(d.of(HEX, 32), "-us", d.of("123456789", 1)),
  "telegram-bot-token": (d) => join(d.of("123456789", 9), ":A", "A", d.of(WORD, 33)),
  "figma-token": (d) => join("fi", "gd_", d.of(WORD, 40)),
  "notion-token": (d) => join("nt", "n_", d.of(ALNUM, 46)),
  "linear-key": (d) => join("lin", "_api_", d.of(ALNUM, 40)),
  "airtable-token": (d) => join("pa", "t", d.of(ALNUM, 14), ".", d.of(HEX, 64)),
  "atlassian-token": (d) => join("ATA", "TT3", d.of(WORD, 180)),
  "postman-key": (d) => join("PM", "AK-", d.of(HEX, 24), "-", d.of(HEX, 34)),
  "new-relic-key": (d) => join("NR", "AK-", d.of(UPPER, 27)),
  "grafana-token": (d) => join("gl", "sa_", d.of(ALNUM, 32), "_", d.of(HEX, 8)),
  "sentry-token": (d) => join("snt", "ryu_", d.of(HEX, 64)),
  "supabase-token": (d) => join("sb", "p_", d.of(HEX, 40)),
  "planetscale-token": (d) => join("pscale", "_tkn_", d.of(WORD, 43)),
  "pulumi-token": (d) => join("pu", "l-", d.of(HEX, 40)),
  "terraform-token": (d) => join(d.of(ALNUM, 14), ".atlas", "v1.", d.of(WORD, 66)),
  "docker-token": (d) => join("dckr", "_pat_", d.of(WORD, 27)),
  "circleci-token": (d) => join("CCI", "PAT_", d.of(ALNUM, 22), "_", d.of(HEX, 40)),
  "tailscale-key": (d) => join("ts", "key-auth-", d.of(ALNUM, 12), "-", d.of(ALNUM, 32)),
  "doppler-token": (d) => join("d", "p.pt.", d.of(ALNUM, 43)),
  "azure-client-secret": (d) => join(d.of(ALNUM, 3), "8", "Q~", d.of(`${ALNUM}~.-`, 34)),
  "azure-storage-key": (d) => join("Account", "Key=", d.of(`${ALNUM}+/`, 86), "=="),
  jwt: (d) => join("ey", "JhbGciOiJIUzI1NiJ9.ey", "J", d.of(WORD, 40), ".", d.of(WORD, 43)),
  "bearer-token": (d) => join("Authorization: Bea", "rer ", d.of(ALNUM, 40)),
  "url-credentials": (d) => join("postgres://bob:", d.of(ALNUM, 12), "@db.internal:5432/app"),
  "curl-credentials": (d) => join("curl -s -u ada:", d.of(ALNUM, 14), " https://api.internal/v1"),
  "mysql-password": (d) => join("mysql -h db -uroot -p", d.of(ALNUM, 12), " app"),
  "curl-continued": (d) =>
    join("curl \\\n  -sS \\\n  -u ada:", d.of(ALNUM, 14), " \\\n  https://api.internal/v1"),
  "curl-clustered": (d) => join("curl -sSLu ada:", d.of(ALNUM, 14), " https://api.internal/v1"),
  "mysql-variable": (d) => join("MYSQL_", "PWD=", d.of(ALNUM, 12), " mysql -uroot app"),
  "mongosh-password": (d) => join("mongosh -u ada -p ", d.of(ALNUM, 12), " app"),
  "az-login-password": (d) => join("az login -u ada -p ", d.of(ALNUM, 16), " --tenant t"),
  "helm-login-password": (d) => join("helm registry login -u ada -p ", d.of(ALNUM, 16), " r.internal"), // prettier-ignore
  "authorization-token": (d) => join("Authorization: tok", "en ", d.of(HEX, 40)),
  "auth-key-header": (d) => join("X-Auth", "-Key: ", d.of(HEX, 37)),
  "docker-auth": (d) => join('"au', 'th": "', base64(`ada:${d.of(ALNUM, 20)}`), '"'),
  "npm-auth": (d) => join("//registry.internal/:_au", "th=", base64(`ada:${d.of(ALNUM, 20)}`)),
  "aws-session-token": (d) => join("aws_session_", "token = IQoJ", d.of(`${ALNUM}+/`, 360), "=="),
  "laravel-key": (d) => join("APP_", "KEY=base64:", d.of(`${ALNUM}+/`, 43), "="),
  "algolia-key": (d) => join("ALGOLIA_ADMIN_", "KEY=", d.of(HEX, 32)),
  "rails-master-key": (d) => join("RAILS_MASTER_", "KEY=", d.of(HEX, 32)),
  "aspnet-cookie": (d) => join("Cookie: .AspNetCore.", "Cookies=CfDJ8", d.of(WORD, 120)),
  "wordpress-cookie": (d) =>
    join("wordpress_logged_in_", d.of(HEX, 32), "=ada%7C1790000000%7C", d.of(ALNUM, 43)),
  "cookie-file": (d) => join(".internal\tTRUE\t/\tTRUE\t1790000000\tsid\t", d.of(ALNUM, 32)),
  "session-cookie": (d) => join("Cookie: theme=dark; sessionid=", d.of(ALNUM, 32)),
  "assigned-secret": (d) => join("DEPLOY_", "TOKEN=", d.of(ALNUM, 28)),
  "private-key": (d) =>
    join("-----BEGIN ", "PRIVATE KEY-----\n", d.of(`${ALNUM}+/`, 64), "\n", d.of(`${ALNUM}+/`, 64), "\n-----END ", "PRIVATE KEY-----"), // prettier-ignore
};

/** The part of `value` that must be masked; the rest may stay. */
const PARTS: Readonly<Record<string, RegExp>> = {
  "aws-secret-key": /=(.+)$/,
  "azure-storage-key": /=(.+)$/,
  "bearer-token": /([^ ]+)$/,
  "url-credentials": /bob:([^@]+)@/,
  "curl-credentials": /ada:([^ ]+)/,
  "mysql-password": /-p([^ ]+)/,
  "curl-continued": /ada:([^ ]+)/,
  "curl-clustered": /ada:([^ ]+)/,
  "mysql-variable": /=([^ ]+)/,
  "mongosh-password": /-p ([^ ]+)/,
  "az-login-password": /-p ([^ ]+)/,
  "helm-login-password": /-p ([^ ]+)/,
  "authorization-token": /([^ ]+)$/,
  "auth-key-header": /([^ ]+)$/,
  "docker-auth": /: "([^"]+)/,
  "npm-auth": /=(.+)$/,
  "aws-session-token": /= (.+)$/,
  "laravel-key": /base64:(.+)$/,
  "algolia-key": /=(.+)$/,
  "rails-master-key": /=(.+)$/,
  "aspnet-cookie": /Cookies=(.+)$/,
  "wordpress-cookie": /%7C(\w+)$/,
  "cookie-file": /([^\t]+)$/,
  "session-cookie": /sessionid=(.+)$/,
  "assigned-secret": /=(.+)$/,
  "slack-webhook": /services\/(.+)$/,
  "discord-webhook": /\/([^/]+)$/,
  "terraform-token": /(atlasv1\..+)$/,
};

export function secretPartOf(kind: string, value: string): string {
  return PARTS[kind]?.exec(value)?.[1] ?? value;
}

const SURROUNDINGS: readonly ((value: string) => string)[] = [
  (value) => `please use ${value} for now, and rotate it later`,
  (value) => JSON.stringify({ output: `key: ${value}`, exitCode: 0 }),
  (value) => `$ cat .env\n${value}\nDEBUG=1\n`,
  (value) => `The config says\n\n    ${value}\n\nwhich is wrong.`,
  (value) => JSON.stringify({ stdout: `TOKEN\n${value}\nDONE` }),
  (value) => JSON.stringify({ output: JSON.stringify({ stdout: `TOKEN\n${value}\nDONE` }) }),
  (value) => `{"query":"a\\u003d${JSON.stringify(value).slice(1, -1)}\\u0026b"}`,
  (value) => `https://example.org/?q=%22${value}%22`,
  (value) => `https://example.org/?q%3D${value} `,
  (value) => `added: \u001b[32m${value}\u001b[0m`,
  (value) => JSON.stringify(`added:\u001b[1;32m${value}\u001b[0m`),
  (value) => `added: \u001b[38;2;10;200;100m${value}\u001b[0m`,
  (value) => `.env:\u001b[01;31m\u001b[K${value}\u001b[m\u001b[K`,
  (value) => `Content-Transfer-Encoding: quoted-printable\n\na=3D${value} `,
  (value) => `+${value}\n-${value}\n`,
  (value) => `it is **${value}**`,
  (value) => `it is _${value}_, or __${value}__`,
  (value) => `docker run \\\n  -e A=1 \\\n  ${value} \\\n  --rm app`,
];

/** Yields secrets of each kind: `perSurrounding` in each of the surroundings. */
export function* plantedSecrets(seed: number, perSurrounding: number): Generator<PlantedSecret> {
  const dice = new Dice(seed);
  for (const [kind, make] of Object.entries(KINDS)) {
    for (let count = 0; count < perSurrounding; count += 1) {
      for (const surround of SURROUNDINGS) {
        const value = make(dice);
        yield { kind, value, text: surround(value) };
      }
    }
  }
}

/** The same secret in other forms: escaped, split over lines, encoded in base64. */
export function disguisesOf(value: string): Record<string, string> {
  const escaped = value
    .split("")
    .map((sign, at) => (at % 5 === 2 ? escape16(sign) : sign))
    .join("");
  const middle = Math.floor(value.length / 2);
  return {
    "JSON escapes": `"token": "${escaped}"`,
    "two lines": `${value.slice(0, middle)}\n${value.slice(middle)}`,
    "a backslash at the end of a line": `${value.slice(0, middle)}\\\n  ${value.slice(middle)}`,
    base64: `data: ${Buffer.from(`token=${value}\n`).toString("base64")}`,
  };
}

function escape16(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
