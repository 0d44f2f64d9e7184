import type { VerifyReport } from "../store/store.ts";
import type { Team } from "../store/team.ts";

/** Checks every kept byte of every person against its digest; problems name the person. */
export async function verifyTeam(team: Team): Promise<VerifyReport> {
  const all: VerifyReport = { chunks: 0, bytes: 0, problems: [] };
  for (const { id, subject } of await team.people.list()) {
    const { care } = team.storeOf({ viewer: id, role: "developer" }, { mode: "read" });
    const { chunks, bytes, problems } = await care.verify(() => undefined);
    all.chunks += chunks;
    all.bytes += bytes;
    for (const { what, files } of problems)
      all.problems.push({ what: `${subject}: ${what}`, files });
  }
  return all;
}
