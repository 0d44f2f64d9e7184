import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An S3 bucket on this machine with its own check of signatures. */
export interface FakeBucket {
  env: Record<string, string>;
  objects: Map<string, Buffer>;
  /** Reasons of refused requests. */
  refused: string[];
  /** If set, every answer has this status. */
  broken?: number;
  stop: () => Promise<void>;
}

const KEYS = { id: "AKIDEXAMPLE", secret: "not+a/secret" };
const REGION = "eu-test-1";

export async function fakeBucket(): Promise<FakeBucket> {
  const server: Server = createServer();
  const bucket: FakeBucket = {
    env: {},
    objects: new Map(),
    refused: [],
    stop: () => new Promise((done) => void server.close(() => done())),
  };
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const wrong = problemOf(request, body);
    if (wrong !== undefined) bucket.refused.push(wrong);
    const answer = wrong === undefined ? act(bucket, request, body) : { status: 403 };
    response.writeHead(bucket.broken ?? answer.status);
    response.end(bucket.broken === undefined ? answer.body : undefined);
  };
  server.on("request", (request, response) => void answerTo(request, response));
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", () => done()));
  const { port } = server.address() as AddressInfo;
  bucket.env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: KEYS.id,
    AWS_SECRET_ACCESS_KEY: KEYS.secret,
    AWS_REGION: REGION,
  };
  return bucket;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function act(
  { objects }: FakeBucket,
  { method, url = "" }: IncomingMessage,
  body: Buffer,
): { status: number; body?: Buffer } {
  if (method === "PUT") objects.set(url, body);
  if (method === "DELETE") return { status: objects.delete(url) ? 204 : 404 };
  const found = objects.get(url);
  return found ? { status: 200, ...(method === "GET" ? { body: found } : {}) } : { status: 404 };
}

/** Verifies a signature step by step as in Amazon's specification. */
function problemOf(
  { method, url = "", headers }: IncomingMessage,
  body: Buffer,
): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=(\S+)\/(\d{8})\/(\S+)\/s3\/aws4_request, SignedHeaders=(\S+), Signature=(\w{64})$/;
  const found = form.exec(headers.authorization ?? "");
  if (!found) return "no signature";
  const [, id, day = "", region, signed = "", signature] = found;
  if (id !== KEYS.id || region !== REGION) return "another key or region";
  const time = String(headers["x-amz-date"]);
  const named = String(headers["x-amz-content-sha256"]);
  if (method === "PUT" && named !== sha256(body)) return "another body";
  const lines = signed.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const request = [method, url, "", lines.join(""), signed, named].join("\n");
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(request)].join("\n");
  const key = [day, REGION, "s3", "aws4_request"].reduce<Buffer | string>(
    (last, part) => createHmac("sha256", last).update(part).digest(),
    `AWS4${KEYS.secret}`,
  );
  const right = createHmac("sha256", key).update(text).digest("hex");
  return right === signature ? undefined : "a wrong signature";
}

function sha256(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
