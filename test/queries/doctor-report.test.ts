import { describe, expect, test } from "vitest";
import { doctorReport, reportText } from "../../src/queries/doctor/doctor-report.ts";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";

const origin = { pollux: "0.1.0", node: "20.19.0", system: "linux x64" };
const NOW = Date.parse("2026-11-15T12:00:00Z");

describe("the shareable report", () => {
  async function report() {
    const file = jsonl(
      header("s1"),
      user("p1", 1, "Xylophone words"),
      model("a1", 2, "Zebra words"),
    );
    const { library, folder } = homeWith({
      "chats/session-2026-02-10T17-28-s1.jsonl": `${file}{"broken Quagga`,
    });
    return { answer: await library.doctor(NOW), folder };
  }

  test("counts findings and contains no text, project or path", async () => {
    const { answer, folder } = await report();
    expect(JSON.stringify(answer)).toContain("ledger");
    const made = doctorReport(answer, origin);
    const text = JSON.stringify(made) + reportText(made);
    for (const own of ["ledger", "Xylophone", "Zebra", "Quagga", "/home/ada", folder, "s1"]) {
      expect(text).not.toContain(own);
    }
    expect(made.sessions.main).toBe(1);
    expect(made.agents).toMatchObject([{ files: 1, read: 1, damaged: 1 }]);
  });

  test("does not take a part of a folder's name for a file name extension", async () => {
    const { answer } = await report();
    const diagnostic = {
      code: "unreadable-folder",
      severity: "damage",
      message: "Quagga",
    } as const;
    const diagnostics = [{ ...diagnostic, file: "/srv/merger.acme" }];
    const made = doctorReport({ ...answer, coverage: { ...answer.coverage, diagnostics } }, origin);
    expect(made.complaints).toMatchObject([{ places: [{ file: 1, line: null, ending: "" }] }]);
    expect(JSON.stringify(made) + reportText(made)).not.toMatch(/acme|merger|Quagga/);
  });

  test("locates every complaint by file number and line", async () => {
    const { answer } = await report();
    const { complaints } = doctorReport(answer, origin);
    expect(complaints).toEqual([
      {
        code: "torn-line",
        severity: "damage",
        count: 1,
        places: [{ file: 1, line: 4, ending: ".jsonl" }],
      },
    ]);
  });
});
