import { wrongUsage } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import type { Finding, LevelState, Verification } from "../../records/findings.ts";
import { LEVELS } from "../../records/findings.ts";
import { fileBytes } from "../../kernel/bytes.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { mustBeFile, readGivenFile } from "../given-file.ts";
import { writeJson } from "../print/json.ts";
import { safeLine } from "../print/safe.ts";
import type { Style } from "../print/style.ts";

export const command: Command = {
  about:
    "Checks the signature, the unsigned metadata (computed again from the record), the signed " +
    "claims and the schema. Exits with 0 if all checks pass, otherwise with 1.",
  arguments: [
    { name: "<signature>", about: "a COSE_Sign1 message, as `pollux sign` writes it" },
    { name: "[record]", about: "the record, unless it is embedded in the message" },
  ],
  options: [
    { flags: "--key <file>", about: "the signer's public key", completes: "file" },
    { flags: "--issuer <name>", about: "the expected signer" },
    { flags: "--subject <name>", about: "the expected subject" },
    { flags: "--lenient", about: "accept missing (but not wrong) metadata" },
  ],
  examples: [
    {
      line: "verify r.json.cose r.json --key pollux.pub.pem --issuer https://example.org/ada",
      about: "run all checks",
    },
    {
      line: "verify r.cose --key pollux.pub.pem --json",
      about: "an embedded record, as JSON",
    },
  ],
  async run(context) {
    const { args, options, out } = context;
    const [signature = "", record] = args;
    const keyFile = options.text("key");
    if (keyFile === undefined)
      throw wrongUsage("--key is missing: the public key of the expected signer.");
    if (record !== undefined) mustBeFile(record);
    const { verifyRecord } = await import("../../library/records.ts");
    const verification = await verifyRecord({
      signature: readGivenFile(signature),
      ...(record === undefined ? {} : { record: fileBytes(record) }),
      publicKey: readGivenFile(keyFile).toString("utf8"),
      ...optional("issuer", options.text("issuer")),
      ...optional("subject", options.text("subject")),
      mode: options.has("lenient") ? "lenient" : "strict",
    });
    if (context.isJson) await writeJson(out, verification);
    else await print(verification, context);
    return verification.isVerified ? EXIT.ok : EXIT.failed;
  },
};

async function print(verification: Verification, { out, style }: Context): Promise<void> {
  const { isVerified, levels, findings, signed } = verification;
  await out.line(isVerified ? style.green("Verified.") : style.red("Rejected."));
  for (const level of LEVELS) {
    await out.line(`  ${level.padEnd(9)}  ${stateText(levels[level], style)}`);
    for (const finding of findings.filter((item) => item.level === level)) {
      await out.line(`             ${findingText(finding, style)}`);
    }
  }
  if (!signed) return;
  const { algorithm, issuer, subject } = signed;
  const says = isVerified ? "Signed by" : "Claims to be signed by";
  const who = `${says} ${issuer ?? "an unnamed issuer"}, about ${subject ?? "nothing"}`;
  await out.line(safeLine(`${who} (${algorithm ?? "no known algorithm"}).`));
}

function stateText(state: LevelState, style: Style): string {
  if (state === "passed") return style.green(state);
  return state === "failed" ? style.red(state) : style.yellow(state);
}

function findingText({ code, message, severity }: Finding, style: Style): string {
  const text = `${code}: ${safeLine(message)}`;
  return severity === "failure" ? style.red(text) : style.yellow(text);
}
