import { wrongUsage } from "../../core/error.ts";
import { statSync } from "node:fs";
import type { Signed } from "../../records/sign.ts";
import { optional } from "../../core/optional.ts";
import { fileBytes } from "../../kernel/bytes.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { mustBeFile, readGivenFile } from "../given-file.ts";
import { writeJson } from "../print/json.ts";
import { safeLine } from "../print/safe.ts";
import { writeStreamedFile } from "../streamed-file.ts";

/** What `--json` prints. */
export interface SignAnswer extends Omit<Signed, "chunks"> {
  file: string;
  sizeBytes: number;
}

export const command: Command = {
  about:
    "Writes a COSE_Sign1 message (RFC 9052) that signs the canonical form of the record. The " +
    "record stays a separate file, unless --embed includes it in the message.",
  arguments: [{ name: "<record>", about: "a record, as `pollux record` writes it" }],
  options: [
    { flags: "--key <file>", about: "the private key (PEM or JWK)", completes: "file" },
    { flags: "--issuer <name>", about: "the signer: your name, an address or a DID (required)" },
    { flags: "--subject <name>", about: "the subject (default: the session's id)" },
    { flags: "--key-id <text>", about: "a hint for finding the public key" },
    { flags: "--embed", about: "include the record in the message" },
    {
      flags: "-o, --out <file>",
      about: "file to write (default: the record's name with .cose)",
      completes: "file",
    },
    { flags: "--force", about: "replace an existing file" },
  ],
  examples: [
    {
      line: "sign latest.record.json --key pollux.key.pem --issuer https://example.org/ada",
      about: "writes latest.record.json.cose",
    },
    {
      line: "sign r.json --key k.pem --issuer ada@example.org --embed --out r.cose",
      about: "one file with both",
    },
  ],
  async run(context) {
    const { args, options, out } = context;
    const [record = ""] = args;
    const keyFile = required(context, "key", "the private key");
    const issuer = required(context, "issuer", "the name of the signer");
    mustBeFile(record);
    const privateKey = readGivenFile(keyFile).toString("utf8");
    await warnOfReaders(keyFile, context);
    const { signRecord } = await import("../../library/records.ts");
    const { chunks, ...signed } = await signRecord(fileBytes(record), {
      privateKey,
      issuer,
      ...optional("subject", options.text("subject")),
      ...optional("keyId", options.text("keyId")),
      payload: options.has("embed") ? "embedded" : "detached",
    });
    const path = options.text("out") ?? `${record}.cose`;
    const existing = options.has("force") ? "is-replaced" : "stays";
    const sizeBytes = await writeStreamedFile({
      path,
      chunks: chunks(),
      existing,
      access: "owner",
    });
    const answer: SignAnswer = { ...signed, file: path, sizeBytes };
    if (context.isJson) await writeJson(out, answer);
    else {
      await out.line(`Signed (${answer.algorithm}) → ${safeLine(path)}`);
      await out.line(`  issuer   ${safeLine(answer.issuer)}`);
      await out.line(`  subject  ${safeLine(answer.subject)}`);
      await out.line(`  sha-256  ${answer.contentHash}`);
    }
    return EXIT.ok;
  },
};

function required({ options }: Context, name: string, what: string): string {
  const value = options.text(name);
  if (value === undefined || value === "") throw wrongUsage(`--${name} is missing: ${what}.`);
  return value;
}

/** Warns if others may read a private key; not available on Windows. */
async function warnOfReaders(keyFile: string, { err }: Context): Promise<void> {
  const { mode } = statSync(keyFile);
  if (process.platform === "win32" || (mode & 0o077) === 0) return;
  await err.line(`Other users can read ${safeLine(keyFile)}: restrict it with \`chmod 600\`.`);
}
