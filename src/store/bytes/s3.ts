import { hash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { PolluxError } from "../../core/error.ts";
import { optional } from "../../core/optional.ts";
import type { ObjectStorage } from "./place.ts";

const TIMEOUT_MS = 30_000;
/** Retries with exponential backoff, starting at 100 ms. */
const RETRIES = 4;

/** A bucket on Amazon S3 or a compatible server (MinIO, Ceph, R2, Garage). */
export class S3Place implements ObjectStorage {
  readonly location: string;
  readonly #client: AwsClient;
  readonly #address: string;

  constructor(location: string, env: Readonly<Record<string, string | undefined>>) {
    this.location = location;
    const [accessKeyId, secretAccessKey] = [env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"]];
    if (!accessKeyId || !secretAccessKey) throw noKeys(location);
    const region = env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || "us-east-1";
    const sessionToken = optional("sessionToken", env["AWS_SESSION_TOKEN"] || undefined);
    const keys = { accessKeyId, secretAccessKey, ...sessionToken };
    this.#client = new AwsClient({
      ...keys,
      region,
      service: "s3",
      retries: RETRIES,
      initRetryMs: 100,
    });
    const endpoint = env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"];
    this.#address = addressOf(location, { region, ...optional("endpoint", endpoint || undefined) });
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const body = Uint8Array.from(bytes);
    // The server checks it against the received bytes.
    const headers = { "X-Amz-Content-Sha256": hash("sha256", body, "hex") };
    await this.#ask("PUT", name, { body, headers });
  }

  async get(name: string): Promise<Buffer | undefined> {
    const response = await this.#ask("GET", name);
    return response && Buffer.from(await response.arrayBuffer());
  }

  async drop(name: string): Promise<void> {
    await this.#ask("DELETE", name);
  }

  /** Returns undefined if there is no such object; throws if there is no such bucket. */
  async #ask(
    method: string,
    name: string,
    what: { body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ): Promise<Response | undefined> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await this.#client
      .fetch(`${this.#address}/${name}`, { method, ...what, signal })
      .catch((cause: unknown) => {
        throw unreachable(this.location, { cause });
      });
    if (response.ok) return response;
    const text = await response.text();
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? String(response.status);
    if (response.status === 404 && code !== "NoSuchBucket") return undefined;
    if (response.status === 507 || /QuotaExceeded|StorageFull/.test(code)) {
      throw new PolluxError("archive-full", `${this.location} is full (${code}).`, {
        remedy: "Nothing was stored. Free some space and try again.",
      });
    }
    if (response.status >= 500 || response.status === 429) {
      throw unreachable(this.location, { why: ` (${code})` });
    }
    throw new PolluxError("store-forbidden", `Access to ${this.location} was refused (${code}).`, {
      remedy: "Check the bucket, AWS_REGION and the permissions of AWS_ACCESS_KEY_ID.",
    });
  }
}

/** Amazon has the bucket in the host name; custom endpoints have it in the path. */
function addressOf(
  location: string,
  { endpoint, region }: { endpoint?: string; region: string },
): string {
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(location) ?? [];
  if (!/^[a-z0-9][a-z0-9.-]+$/.test(bucket) || /[^\w./-]/.test(prefix)) {
    throw new PolluxError("wrong-usage", `"${location}" does not name a bucket.`, {
      remedy: "Use s3://bucket or s3://bucket/prefix.",
    });
  }
  const host =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com`
      : `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  return [host, prefix].filter((part) => part !== "").join("/");
}

function noKeys(location: string): PolluxError {
  return new PolluxError("store-forbidden", `No access keys for ${location}.`, {
    remedy: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
  });
}

function unreachable(
  location: string,
  { why = "", cause }: { why?: string; cause?: unknown },
): PolluxError {
  return new PolluxError("store-unreachable", `${location} does not answer${why}.`, {
    remedy: "Check AWS_ENDPOINT_URL and the network; nothing was stored.",
    cause,
  });
}
