import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { lines, makeRoot, run } from "./run.ts";

const AT = "2026-01-01T00:00:00.000Z";
const header = { sessionId: "s1", projectHash: "h", startTime: AT, lastUpdated: AT, kind: "main" };
const name = "session-2026-01-01T00-00-5e551001.jsonl";
const text = lines(
  header,
  { id: "u1", timestamp: AT, type: "user", content: [{ text: "hi \x1b]0;owned\x07 \u009b31m" }] },
  { id: "g1", timestamp: AT, type: "gemini", content: "yes", model: "gemini-3-pro" },
  { id: "u2", timestamp: AT, type: "user", content: [{ text: "no" }] },
  { $rewindTo: "u2" },
);
const root = makeRoot({ [`tmp/ledger/chats/${name}`]: text });
const folder = mkdtempSync(join(tmpdir(), "pollux-records-"));
const path = (file: string): string => join(folder, file);
const ISSUER = ["--issuer", "https://example.org/ada"];

beforeAll(async () => {
  await run(["keys", "new", "ada", "--out", folder]);
  await run(["keys", "new", "big", "--alg", "es256", "--form", "jwk", "--out", folder]);
  await run(["record", "s1", "--root", root, "--out", path("r.json")]);
  await run(["sign", path("r.json"), "--key", path("ada.key.pem"), ...ISSUER]);
});

describe("pollux record", () => {
  it("prints the exact bytes that are signed when piped", async () => {
    const { code, out, err } = await run(["record", "s1", "--root", root]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(readFileSync(path("r.json"), "utf8"));
    expect(out).toContain("\u009b");
    expect((await run(["record", "s1", "--root", root, "--json"])).out).toBe(out);
  });

  it("prints no control characters on a terminal", async () => {
    const { out } = await run(["record", "s1", "--root", root], { isTerminal: true });
    expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync(path("r.json"), "utf8")));
  });

  it("reports what it wrote", async () => {
    const args = ["record", "s1", "--root", root, "--live-only", "--out", path("live.json")];
    expect((await run(args)).out).toBe(
      `2 entries, ${statSync(path("live.json")).size} bytes → ${path("live.json")}\n` +
        "Left out: 1 rewound\n",
    );
    const { out } = await run([...args, "--force", "--json"]);
    expect(JSON.parse(out)).toEqual({
      schemaVersion: 2,
      id: expect.any(String) as string,
      profile: "lossless",
      entries: 2,
      leftOut: { rewound: 1 },
      file: path("live.json"),
      sizeBytes: statSync(path("live.json")).size,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it("sets the time of creation from the clock of the program", async () => {
    const { out } = await run(["record", "s1", "--root", root, "--created", "now"]);
    expect(JSON.parse(out)).toMatchObject({ created: "2026-11-15T12:00:00.000Z" });
  });

  it("recovers the session with --invert", async () => {
    const { code, out } = await run(["record", "--invert", path("r.json"), "--out", path("back")]);
    expect({ code, out }).toEqual({ code: 0, out: `${path(`back/${name}`)}\n` });
    const values = (json: string): unknown[] =>
      json
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(values(readFileSync(path(`back/${name}`), "utf8"))).toEqual(values(text));
    const printed = await run(["record", "--invert", path("r.json")]);
    expect(values(printed.out)).toEqual(values(text));
    const json = await run(["record", "--invert", path("r.json"), "--out", path("b2"), "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ files: [{ format: "append-jsonl" }] });
  });

  it.each([
    [["record"], 2, "Missing session"],
    [["record", "nope"], 3, "No session"],
    [["record", "s1", "--invert", "x"], 2, "--invert takes a record"],
    [["record", "s1", "--profile", "mine"], 2, "lossless, reference, seed"],
    [["record", "--invert", "nowhere.json"], 3, "No such file"],
    [["record", "--invert", join("schemas", "record.cddl")], 1, "The file is not a record"],
  ])("%j exits with %i", async (args, code, reason) => {
    const answer = await run([...args, "--root", root]);
    expect(answer.code).toBe(code);
    expect(answer.err).toContain(reason);
  });

  it("does not overwrite files by default", async () => {
    const before = readFileSync(path("r.json"), "utf8");
    const args = ["record", "s1", "--root", root, "--profile", "seed", "--out", path("r.json")];
    expect(await run(args)).toMatchObject({ code: 1, out: "" });
    expect(readFileSync(path("r.json"), "utf8")).toBe(before);
    expect(readdirSync(folder).filter((json) => json.endsWith(".part"))).toEqual([]);
  });
});

describe("pollux keys", () => {
  it("writes a private key that only its owner can read", () => {
    expect(statSync(path("ada.key.pem")).mode & 0o777).toBe(0o600);
    expect(readFileSync(path("ada.key.pem"), "utf8")).toContain("PRIVATE KEY");
    expect(readFileSync(path("ada.pub.pem"), "utf8")).toContain("PUBLIC KEY");
    expect(JSON.parse(readFileSync(path("big.pub.jwk"), "utf8"))).toMatchObject({ crv: "P-256" });
    expect(readFileSync(path("big.pub.jwk"), "utf8")).not.toContain('"d"');
  });

  it("never overwrites a key or leaves half a pair", async () => {
    const before = readFileSync(path("ada.key.pem"), "utf8");
    const again = await run(["keys", "new", "ada", "--out", folder]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("already exists") });
    expect(again.err).not.toContain("--force");
    expect(readFileSync(path("ada.key.pem"), "utf8")).toBe(before);
    mkdirSync(path("half"));
    writeFileSync(path("half/pollux.pub.pem"), "x");
    expect(await run(["keys", "new", "--out", path("half")])).toMatchObject({ code: 1 });
    expect(readdirSync(path("half"))).toEqual(["pollux.pub.pem"]);
  });

  it("reports the paths and the thumbprint as JSON", async () => {
    const { out } = await run(["keys", "new", "c", "--out", folder, "--json"]);
    expect(JSON.parse(out)).toEqual({
      schemaVersion: 2,
      algorithm: "EdDSA",
      thumbprint: expect.stringMatching(/^[\w-]{43}$/) as string,
      privateKeyFile: path("c.key.pem"),
      publicKeyFile: path("c.pub.pem"),
    });
    expect(out).not.toContain("PRIVATE KEY");
  });

  it.each([["old"], ["new", "../x"], ["new", ".x"], ["new", "a b"]])(
    "rejects %s %s",
    async (...args) => {
      expect((await run(["keys", ...args, "--out", folder])).code).toBe(2);
    },
  );
});

describe("pollux sign and pollux verify", () => {
  const signature = path("r.json.cose");
  const key = ["--key", path("ada.pub.pem")];

  it("verify accepts what sign wrote", async () => {
    const { code, out } = await run(["verify", signature, path("r.json"), ...key, ...ISSUER]);
    expect({ code, out }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "Verified.
        signature  passed
        metadata   passed
        claims     passed
        schema     passed
      Signed by https://example.org/ada, about s1 (EdDSA).
      ",
      }
    `);
  });

  it("verify accepts an embedded record signed with ES256", async () => {
    const signing = ["sign", path("r.json"), "--key", path("big.key.jwk"), ...ISSUER, "--embed"];
    const signed = await run([...signing, "--out", path("e.cose"), "--json"]);
    expect(JSON.parse(signed.out)).toMatchObject({ algorithm: "ES256", payload: "embedded" });
    const args = ["verify", path("e.cose"), "--key", path("big.pub.jwk"), ...ISSUER, "--json"];
    const { code, out } = await run(args);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ isVerified: true, findings: [] });
  });

  it("verify reports each failed check and exits with 1", async () => {
    const changed = readFileSync(path("r.json"), "utf8").replace('"yes"', '"no"');
    writeFileSync(path("changed.json"), changed);
    const { code, out } = await run(["verify", signature, path("changed.json"), ...key, ...ISSUER]);
    expect(code).toBe(1);
    expect(out).toContain("Rejected.");
    expect(out).toContain("bad-signature");
    expect(out).toContain("content-hash-mismatch");
    const other = await run(["verify", signature, path("r.json"), "--key", path("big.pub.jwk")]);
    expect(other).toMatchObject({ code: 1 });
    expect(other.out).toContain("alg-key-mismatch");
  });

  it("print no escape sequences of an issuer", async () => {
    const args = ["sign", path("r.json"), "--key", path("ada.key.pem"), "--issuer", "a\x1b[31m"];
    const signed = await run([...args, "--out", path("odd.cose")], { isTerminal: true });
    const verified = await run(["verify", path("odd.cose"), path("r.json"), ...key]);
    expect(signed.out + verified.out).not.toMatch(/\x1b\[31m/);
  });

  it.each([
    [["sign", path("r.json"), ...ISSUER], 2, "--key is missing"],
    [["sign", path("r.json"), "--key", path("ada.key.pem")], 2, "--issuer is missing"],
    [["sign", path("r.json"), "--key", path("ada.pub.pem"), ...ISSUER], 1, "P-256 private key"],
    [["sign", path("nope"), "--key", path("ada.key.pem"), ...ISSUER], 3, "No such file"],
    [["sign", path("r.json"), "--key", path("ada.key.pem"), ...ISSUER], 1, "already exists"],
    [["verify", signature, path("r.json")], 2, "--key is missing"],
    [["verify", path("nope"), path("r.json"), ...key], 3, "No such file"],
    [["verify", signature, path("r.json"), "--key", path("r.json")], 1, "P-256 public key"],
  ])("%j exits with %i", async (args, code, reason) => {
    const answer = await run(args);
    expect(answer.code).toBe(code);
    expect(answer.err).toContain(reason);
  });

  it("sign warns if others may read the key", async () => {
    chmodSync(path("c.key.pem"), 0o644);
    const args = ["sign", path("r.json"), "--key", path("c.key.pem"), ...ISSUER];
    const { code, err } = await run([...args, "--out", path("c.cose")]);
    expect(code).toBe(0);
    expect(err).toContain("chmod 600");
  });
});
