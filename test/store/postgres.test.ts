import { afterAll, describe } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { equalityContract } from "../contracts/store-equality.ts";
import { startPostgres } from "../postgres-server.ts";

const server = await startPostgres();
let next = 0;

describe.skipIf("missing" in server)("PostgreSQL", () => {
  const { dsn, stop } = "missing" in server ? { dsn: "", stop: undefined } : server;
  afterAll(() => stop?.());
  const open = () => openPostgresStore(`${dsn}&schema=test_${(next += 1)}`, { reader: 1 });
  equalityContract("PostgreSQL", open);
});
