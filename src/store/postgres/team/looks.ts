import type { AuditAccess, AuditLog, NewLook, Receipt, Viewer } from "../../team.ts";
import type { Database } from "../database.ts";
import { sessionKey } from "../derived/session-key.ts";

interface LookRow {
  id: number;
  at_ms: number;
  viewer: string;
  person: number;
  source: string;
  session_id: string;
  reason: string;
}

interface ReceiptRow {
  id: number;
  at_ms: number;
  kind: Receipt["kind"];
  by: string | null;
  counts: string;
}

/** The log of auditors' looks and of erasures. */
export class PostgresLooks implements AuditLog {
  readonly #admin: Database;
  readonly #server: Database;
  readonly #acting: (viewer: Viewer) => Database;

  constructor(
    { admin, server }: { admin: Database; server: Database },
    acting: (viewer: Viewer) => Database,
  ) {
    this.#admin = admin;
    this.#server = server;
    this.#acting = acting;
  }

  async add({
    viewer,
    person,
    source,
    sessionId,
    reason,
    atMs,
    untilMs,
  }: NewLook): Promise<number> {
    const sql = `INSERT INTO looks
      (viewer, person, source, session_id, session, reason, at_ms, until_ms)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`;
    const session = sessionKey({ source, id: sessionId });
    const values = [viewer, person, source, sessionId, session, reason, atMs, untilMs];
    const [row] = await this.#acting({ viewer, role: "auditor" }).all<{ id: number }>(sql, values);
    if (!row) throw new RangeError("A look was not recorded.");
    return row.id;
  }

  async at(person: number): Promise<AuditAccess[]> {
    const sql = `SELECT looks.*, coalesce(people.name, '') AS viewer FROM looks
      LEFT JOIN people ON people.id = looks.viewer
      WHERE looks.person = $1 ORDER BY looks.id DESC`;
    const rows = await this.#admin.all<LookRow>(sql, [person]);
    return rows.map(({ id, at_ms, viewer, source, session_id, reason }) => {
      return { id, atMs: at_ms, viewer, person, source, sessionId: session_id, reason };
    });
  }

  async addReceipt(receipt: Parameters<AuditLog["addReceipt"]>[0]): Promise<number> {
    const sql = `INSERT INTO receipts (at_ms, kind, by_person, person, counts)
      VALUES ($1, $2, $3, $4, $5) RETURNING id`;
    const { atMs, kind, by, person, counts } = receipt;
    const values = [atMs, kind, by, person, JSON.stringify(counts)];
    const [row] = await this.#admin.all<{ id: number }>(sql, values);
    return row?.id ?? 0;
  }

  async removeBefore(atMs: number): Promise<number> {
    let removed = 0;
    for (const table of ["looks", "receipts"]) {
      const sql = `DELETE FROM ${table} WHERE at_ms < $1`;
      removed += await this.#server.run(sql, [atMs]);
    }
    return removed;
  }

  async receipts(): Promise<Receipt[]> {
    const sql = `SELECT receipts.id, at_ms, kind, people.name AS by, counts FROM receipts
      LEFT JOIN people ON people.id = receipts.by_person ORDER BY receipts.id DESC`;
    const rows = await this.#admin.all<ReceiptRow>(sql);
    return rows.map(({ id, at_ms, kind, by, counts }) => {
      return { id, atMs: at_ms, kind, by, counts: JSON.parse(counts) as Receipt["counts"] };
    });
  }
}
