import type { IncomingMessage } from "node:http";
import { PolluxError } from "../core/error.ts";

/** Reads the whole body; throws if it is too large. */
export async function bodyBytes(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes)
      throw new PolluxError("body-too-large", "The request body is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
