// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { openTeamAdmin } from "../../../src/library/team/team.ts";
import { openPlace } from "../../../src/store/bytes/place.ts";
import type { Store } from "../../../src/store/store.ts";
import { begin, keep, textOf } from "../../contracts/kept-samples.ts";
import { segmentsContract } from "../../contracts/segments.ts";
import { filesContract } from "../../contracts/store-files.ts";
import { fakeBucket } from "../fake-bucket.ts";
import { postgresStores } from "./stores.ts";
import { fillEverything, teamAt, who } from "./teams.ts";

const postgres = await postgresStores();
const bucket = await fakeBucket();
for (const [name, value] of Object.entries(bucket.env)) vi.stubEnv(name, value);
afterAll(async () => {
  vi.unstubAllEnvs();
  await bucket.stop();
});

const folder = mkdtempSync(join(tmpdir(), "bytes-"));
const BUCKET = "s3://pollux-test/some/prefix";
const places = { "the database": undefined, "a folder": folder, "a bucket": BUCKET };

const withPlace = (dsn: string, place: string | undefined): string => {
  return place === undefined ? dsn : `${dsn}&bytes=${encodeURIComponent(place)}`;
};

/** All bytes outside the database. */
function objects(): Buffer[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
  return [...files, ...bucket.objects.values()];
}

describe.skipIf(!postgres.isAvailable)(
  `bytes of a store in PostgreSQL${postgres.skipReason}`,
  () => {
    describe.each(Object.entries(places))("in %s", (where, place) => {
      const newDsn = (): string => withPlace(postgres.newDsn(), place);

      segmentsContract(where, async () => {
        const { team, people } = await teamAt(newDsn(), ["ada", "bob"]);
        const [segments, others] = [team.segmentsOf(people.ada), team.segmentsOf(people.bob)];
        return { segments, others };
      });

      filesContract(where, () => postgres.at(newDsn()));

      test("are found when the store is opened again, and removed by erasure", async () => {
        const before = objects().length;
        const dsn = postgres.newDsn();
        const { team, people } = await teamAt(withPlace(dsn, place), ["planted", "bob"]);
        const admin = await openTeamAdmin(dsn, { clock: () => 9 });
        await fillEverything(team.storeOf(who(people.planted)));
        await fillEverything(team.storeOf(who(people.bob)));
        expect(objects().length - before).toBe(place === undefined ? 0 : 2);
        const store = admin.team.storeOf(who(people.planted));
        const [known] = await store.known({});
        expect(known && (await textOf(store, known))).toBe("planted bytes");
        await admin.erase("planted@example.com");
        expect(objects().length - before).toBe(place === undefined ? 0 : 1);
        await admin.erase("bob@example.com", "first");
        expect(objects().length).toBe(before);
        expect(await postgres.sql(dsn, "SELECT * FROM loose_bytes")).toEqual([]);
        await admin.close();
      });
    });

    test("move out of the database on compaction", async () => {
      const before = objects().length;
      const dsn = postgres.newDsn();
      const first = await postgres.at(dsn);
      const text = "one\n".repeat(9000);
      const file = await keep(first, await begin(first), { path: "a", text });
      const store = await postgres.at(withPlace(dsn, BUCKET));
      expect(await textOf(store, file)).toBe(text);
      await store.care.compact(() => undefined);
      expect(objects().length - before).toBe(1);
      expect(await textOf(store, file)).toBe(text);
      expect(await store.care.verify(() => undefined)).toMatchObject({ chunks: 1, problems: [] });
      const { storedBytes } = await store.care.stats();
      expect(storedBytes).toBe(bucket.objects.get([...bucket.objects.keys()].at(-1) ?? "")?.length);
      await expect(postgres.at(withPlace(dsn, folder))).rejects.toMatchObject({
        message: expect.stringContaining(BUCKET),
      });
    });

    test("are not configured to a location that refuses them", async () => {
      const dsn = postgres.newDsn();
      bucket.broken = 403;
      await expect(postgres.at(withPlace(dsn, BUCKET))).rejects.toMatchObject({
        code: "store-forbidden",
      });
      delete bucket.broken;
      const store = await postgres.at(withPlace(dsn, folder));
      expect(await keep(store, await begin(store), { path: "a", text: "x" })).toBeDefined();
    });

    test("that are missing or damaged outside the database are reported", async () => {
      const store = await postgres.at(withPlace(postgres.newDsn(), BUCKET));
      const file = await keep(store, await begin(store), { path: "a", text: "some text" });
      const [name = ""] = [...bucket.objects.keys()].slice(-1);
      bucket.objects.set(name, Buffer.from("other text"));
      const verified = async (): Promise<unknown> =>
        (await store.care.verify(() => undefined)).problems;
      expect(await verified()).toMatchObject([{ files: [file.path] }]);
      bucket.objects.delete(name);
      expect(await verified()).toMatchObject([{ files: [file.path] }]);
      await expect(store.bytes(file)).rejects.toMatchObject({ code: "archive-damaged" });
    });

    test("are neither lost nor left behind if the location does not answer", async () => {
      const dsn = postgres.newDsn();
      const store = await postgres.at(withPlace(dsn, BUCKET));
      const root = await begin(store);
      const before = objects().length;
      bucket.broken = 403;
      const kept = (): Promise<unknown> => keep(store, root, { path: "a", text: "some text" });
      await expect(kept()).rejects.toMatchObject({ code: "store-forbidden" });
      expect(await postgres.sql(dsn, "SELECT digest FROM chunks")).toEqual([]);
      delete bucket.broken;
      await kept();
      expect(objects().length - before).toBe(1);
      bucket.broken = 403;
      const gone = store.forget({ files: [await idOf(store)], sessions: [], paths: [], nowMs: 1 });
      await expect(gone).rejects.toMatchObject({ code: "store-forbidden" });
      expect(await store.known({})).toEqual([]);
      delete bucket.broken;
      await store.care.settle();
      expect(objects().length).toBe(before);
    });

    test("are not dropped while the same bytes are being stored", async () => {
      const store = await postgres.at(withPlace(postgres.newDsn(), folder));
      const root = await begin(store);
      const pairs = Array.from({ length: 12 }, async (_, at) => {
        await keep(store, root, { path: `f${at}`, text: "the same text" }).catch(() => undefined);
        const { id } = (await store.known({})).find(({ path }) => path.endsWith(`f${at}`)) ?? {};
        if (at % 2 === 0 && id !== undefined) {
          await store.forget({ files: [id], sessions: [], paths: [], nowMs: 1 });
        }
      });
      await Promise.all(pairs);
      for (const file of await store.known({})) {
        expect(await textOf(store, file)).toBe("the same text");
      }
      expect(await store.care.verify(() => undefined)).toMatchObject({ problems: [] });
    });

    test("are requested with valid signatures only", () => {
      expect(bucket.refused).toEqual([]);
    });
  },
);

test("a bucket needs a name and keys, and a wrong key is reported", async () => {
  await expect(openPlace("s3://", bucket.env)).rejects.toMatchObject({ code: "wrong-usage" });
  await expect(openPlace(BUCKET, {})).rejects.toMatchObject({ code: "store-forbidden" });
  const wrong = await openPlace(BUCKET, { ...bucket.env, AWS_SECRET_ACCESS_KEY: "wrong" });
  await expect(wrong.get("a")).rejects.toMatchObject({ code: "store-forbidden" });
  expect(bucket.refused.pop()).toBe("a wrong signature");
});

async function idOf(store: Store): Promise<number> {
  return (await store.known({}))[0]?.id ?? 0;
}
