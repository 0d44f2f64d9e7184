import { hash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { CHUNK_BYTES, pack } from "../../src/store/codec.ts";
import type { SegmentStore } from "../../src/store/team.ts";

interface Opened {
  /** The segments of two people of one team. */
  segments: SegmentStore;
  others: SegmentStore;
}

function segmentOf(bytes: Buffer): { digest: string; codec: string; stored: Uint8Array } {
  return { digest: hash("sha256", bytes, "hex"), ...pack(bytes, "fast") };
}

/** Tests that every segment store must pass. */
export function segmentsContract(where: string, open: () => Promise<Opened>): void {
  test(`${where}: returns segments that were put, once or repeatedly, to their owner only`, async () => {
    const { segments, others } = await open();
    const [text, noise] = [Buffer.from("line\n".repeat(50_000)), randomBytes(CHUNK_BYTES)];
    const [first, second] = [segmentOf(text), segmentOf(noise)];
    expect([first.codec, second.codec]).toEqual(["brotli", "plain"]);
    const both = [first.digest, second.digest];
    expect(await segments.missing(both)).toEqual(both);
    expect(await segments.open("a", both)).toBeUndefined();
    await Promise.all([segments.put(first), segments.put(first), segments.put(second)]);
    expect(await segments.missing(both)).toEqual([]);
    const bytes = await segments.open("a", [...both, first.digest]);
    const whole = Buffer.concat([text, noise, text]);
    expect(bytes?.range(0, whole.length + 9).equals(whole)).toBe(true);
    const at = text.length - 3;
    expect(bytes?.range(at, at + 9).equals(whole.subarray(at, at + 9))).toBe(true);
    expect(await others.missing(both)).toEqual(both);
    expect(await others.open("a", both)).toBeUndefined();
  });

  test(`${where}: rejects bytes that do not match their digest`, async () => {
    const { segments } = await open();
    const right = segmentOf(Buffer.from("right"));
    const bomb = pack(Buffer.alloc(CHUNK_BYTES * 4), "fast");
    const wrong = [
      { ...right, stored: Buffer.from("wrong") },
      { ...right, codec: "brotli" },
      { ...right, codec: "unheard of" },
      { digest: hash("sha256", Buffer.alloc(CHUNK_BYTES * 4), "hex"), ...bomb },
    ];
    for (const segment of wrong) {
      await expect(segments.put(segment)).rejects.toMatchObject({ code: "wrong-digest" });
      expect(await segments.missing([segment.digest])).toEqual([segment.digest]);
    }
  });
}
