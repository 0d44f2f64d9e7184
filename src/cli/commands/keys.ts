import { wrongUsage } from "../../core/error.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";

import { writeJson } from "../print/json.ts";
import { safeLine } from "../print/safe.ts";
import { thereAlready, writeStreamedFile } from "../streamed-file.ts";

const ALGORITHMS = { ed25519: "EdDSA", es256: "ES256" } as const;

/** What `--json` prints; never the private key itself. */
export interface KeysAnswer {
  algorithm: (typeof ALGORITHMS)[keyof typeof ALGORITHMS];
  thumbprint: string;
  privateKeyFile: string;
  publicKeyFile: string;
}

export const command: Command = {
  about:
    "Writes a private key that only you can read, and the public key to give to others. " +
    "Existing files are never overwritten.",
  arguments: [
    { name: "<action>", about: "what to do", choices: ["new"] },
    { name: "[name]", about: "prefix of the file names (default: pollux)" },
  ],
  options: [
    {
      flags: "--alg <name>",
      about: "ed25519 (default), or es256 for sessions of hundreds of megabytes",
      choices: Object.keys(ALGORITHMS),
    },
    { flags: "--form <name>", about: "pem (default) or jwk", choices: ["pem", "jwk"] },
    {
      flags: "--out <folder>",
      about: "folder to write to (default: the current one)",
      completes: "folder",
    },
  ],
  examples: [
    { line: "keys new", about: "pollux.key.pem and pollux.pub.pem, here" },
    {
      line: "keys new audit --alg es256 --out keys",
      about: "keys/audit.key.pem and its public half",
    },
  ],
  async run({ args, options, out, isJson }) {
    const [, name = "pollux"] = args;
    if (!/^[\w.-]+$/.test(name) || name.startsWith(".")) {
      throw wrongUsage("A key's name may only contain letters, digits, dots and dashes.");
    }
    const { newKeys } = await import("../../library/records.ts");
    const form = options.text("form") === "jwk" ? "jwk" : "pem";
    const algorithm = options.text("alg") === "es256" ? ALGORITHMS.es256 : ALGORITHMS.ed25519;
    const folder = options.text("out") ?? ".";
    const privateKeyFile = join(folder, `${name}.key.${form}`);
    const publicKeyFile = join(folder, `${name}.pub.${form}`);
    // Check both first: half a pair is useless.
    for (const path of [privateKeyFile, publicKeyFile])
      // Never overwrite a key: its signatures could no longer be verified.
      if (existsSync(path)) throw thereAlready(path, "Choose another name.");
    const { privateKey, publicKey, thumbprint } = await newKeys(algorithm, form);
    await write(privateKeyFile, privateKey, "owner");
    await write(publicKeyFile, publicKey, "everybody");
    const answer: KeysAnswer = { algorithm, thumbprint, privateKeyFile, publicKeyFile };
    if (isJson) await writeJson(out, answer);
    else {
      await out.line(`Private key  ${safeLine(privateKeyFile)}  (keep it secret)`);
      await out.line(
        `Public key   ${safeLine(publicKeyFile)}  (give it to those who verify your records)`,
      );
      await out.line(`${algorithm}, thumbprint ${thumbprint}`);
    }
    return EXIT.ok;
  },
};

async function write(path: string, text: string, access: "owner" | "everybody"): Promise<void> {
  await writeStreamedFile({ path, chunks: [text], existing: "stays", access });
}
