import type { About, TeamMachine, TeamPerson, TeamReceipt, TeamState } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { ago, counted, exact, when } from "../figures.ts";
import { Failed, Skeleton } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";

/** For administrators: who takes part, and what does not arrive. */
export function TeamPeople() {
  const people = useAnswer<{ people: TeamPerson[] }>("/api/team/people");
  const state = useAnswer<TeamState>("/api/team/doctor");
  const erased = useAnswer<{ receipts: TeamReceipt[] }>("/api/team/receipts");
  const now = Date.parse(useAnswer<About>("/api/about").value?.now ?? "");
  const error = people.error ?? state.error;
  if (error && !people.value) return <Failed error={error} />;
  return (
    <>
      <section class="card">
        <div class="card-head">
          <h2>Needs attention</h2>
        </div>
        {state.value ? <State state={state.value} /> : <Skeleton lines={2} />}
      </section>
      <section class="card">
        <div class="card-head">
          <h2>People</h2>
        </div>
        {people.value ? <PeopleTable people={people.value.people} nowMs={now} /> : <Skeleton />}
      </section>
      <section class="card">
        <div class="card-head">
          <h2>Removed</h2>
        </div>
        {erased.value ? <Receipts receipts={erased.value.receipts} /> : <Skeleton lines={2} />}
      </section>
    </>
  );
}

function State({ state: { unread, remarks, policy } }: { state: TeamState }) {
  const { level, mayLower, masked, retentionDays, conversationDays } = policy;
  const sent = [
    `Machines send ${level === "full" ? "sessions in full" : level}`,
    ...(masked ? ["with secrets masked"] : []),
    ...(mayLower ? ["or less, if their owner chooses so"] : []),
  ];
  const kept = retentionDays === undefined ? "for ever" : `for ${counted(retentionDays, "day")}`;
  const texts =
    conversationDays === undefined ? "" : `, conversations for ${counted(conversationDays, "day")}`;
  return (
    <ul class="small">
      <li>
        {sent.join(", ")}. They are kept {kept}
        {texts}.
      </li>
      <li>
        {unread === 0 ? "Everything received was read." : `${counted(unread, "file")} to be read.`}
      </li>
      {remarks.map((remark) => (
        <li key={remark}>{remark}</li>
      ))}
    </ul>
  );
}

const MOST_RECEIPTS = 10;

function Receipts({ receipts }: { receipts: readonly TeamReceipt[] }) {
  if (receipts.length === 0) return <p class="blank">Nothing was erased yet.</p>;
  return (
    <ul class="small">
      {receipts.slice(0, MOST_RECEIPTS).map(({ id, atMs, kind, counts }) => (
        <li key={id}>
          {when(new Date(atMs).toISOString())}, {WHY[kind]}:{" "}
          {Object.entries(counts)
            .map(([name, count]) => `${exact(count)} ${name}`)
            .join(", ")}
        </li>
      ))}
    </ul>
  );
}

const WHY = { erasure: "erased", retention: "after their term" };

function PeopleTable({ people, nowMs }: { people: readonly TeamPerson[]; nowMs: number }) {
  return (
    <div class="table-wrap" tabIndex={0}>
      <table class="stacks">
        <thead>
          <tr>
            {["Name", "Teams", "Roles"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col" class="number">
              Sessions
            </th>
            <th scope="col">Sends</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <td title={person.subject}>{safeText(person.name)}</td>
              <td>{safeText(person.teams.join(", "))}</td>
              <td>{person.roles.join(", ")}</td>
              <td class="number" data-name="sessions">
                {exact(person.sessions)}
              </td>
              <td>{sendingOf(person, nowMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether data of a person arrives, and if not, since when. */
function sendingOf({ leftMs, devices }: TeamPerson, nowMs: number): string {
  if (leftMs !== undefined) return "has left";
  const isActive = ({ revokedMs, expiresMs }: TeamMachine): boolean => {
    return revokedMs === undefined && expiresMs > nowMs;
  };
  const active = devices.filter(isActive);
  if (active.length === 0) return devices.length === 0 ? "no machine" : "to be enrolled again";
  const last = Math.max(...active.map(({ seenMs = 0 }) => seenMs));
  const seen = last === 0 ? "never" : ago(new Date(last).toISOString(), nowMs);
  return `${counted(active.length, "machine")}, last ${seen}`;
}
