import { expect, test } from "vitest";
import { sendingSentence } from "../../src/cli/print/sync.ts";
import type { ArchiveHealth, DoctorAnswer } from "../../src/queries/doctor/doctor.ts";

function sentence(path: string, sending: DoctorAnswer["sending"] = null): string {
  return sendingSentence({ sending, archive: { path } as ArchiveHealth } as DoctorAnswer);
}

test("says first whether anything leaves this machine", () => {
  const here = [
    "/home/ada/.local/share/pollux/archive.db",
    "postgres://ada@localhost/sessions",
    "postgres://ada@127.0.0.1:5432/sessions",
    "postgres://ada@[::1]/sessions",
    "postgres:///sessions",
    "postgres://ada@localhost/sessions?host=%2Frun%2Fpostgresql",
  ];
  for (const path of here) expect([path, sentence(path)]).toEqual([path, NOTHING]);
  const there = ["postgres://ada@db.example/sessions", "postgresql:///sessions?host=10.0.0.5"];
  for (const path of there) expect(sentence(path)).toContain(path);
  const sending = { server: "https://pollux.example", team: "Example", lastAt: null };
  expect(sentence("archive.db", sending)).toBe(
    "to https://pollux.example (Example); nothing sent yet",
  );
});

const NOTHING = "nothing leaves this machine";
