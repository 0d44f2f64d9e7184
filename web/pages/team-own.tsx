import { useState } from "preact/hooks";
import type { Me, TeamMachine } from "../answers.ts";
import { ask, generation } from "../ask.ts";
import { when } from "../figures.ts";
import { Confirm } from "../parts/confirm.tsx";
import { ownSessionHref } from "../owner.ts";
import { safeText } from "../safe-text.ts";

function moment(ms: number | undefined): string {
  return ms === undefined ? "–" : when(new Date(ms).toISOString());
}

/** The user's sending machines; further ones are added with a code. */
export function OwnMachines({ me }: { me: Me }) {
  const [code, setCode] = useState("");
  const [complaint, setComplaint] = useState("");
  const add = async (): Promise<void> => {
    try {
      const { value } = await ask<{ code: string }>("/api/me/codes", {
        method: "POST",
        body: "{}",
      });
      setCode(value.code);
      setComplaint("");
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : "Something went wrong.");
    }
  };
  const machines = me.devices.filter(({ revokedMs }) => revokedMs === undefined);
  return (
    <section class="card">
      <div class="card-head">
        <h2>Your machines</h2>
        <button class="button" type="button" onClick={() => void add()}>
          Add a machine
        </button>
      </div>
      {code !== "" && (
        <div role="status">
          <p class="soft small">Run this once on that machine, within 15 minutes:</p>
          <pre>{`pollux sync enrol ${code} --to ${window.location.origin}`}</pre>
        </div>
      )}
      {complaint !== "" && <p role="alert">{complaint}</p>}
      {machines.length === 0 ? (
        <p class="blank">None of your machines sends anything.</p>
      ) : (
        <MachineTable machines={machines} />
      )}
    </section>
  );
}

function MachineTable({ machines }: { machines: readonly TeamMachine[] }) {
  return (
    <div class="table-wrap" tabIndex={0}>
      <table class="stacks">
        <thead>
          <tr>
            {["Machine", "Last sent", "Enrolled until"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span class="hidden-label">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {machines.map(({ id, name, seenMs, expiresMs }) => (
            <tr key={id}>
              <td>{safeText(name)}</td>
              <td data-name="sent">{moment(seenMs)}</td>
              <td data-name="until">{moment(expiresMs)}</td>
              <td class="number">
                <Confirm
                  label="Revoke"
                  on={name}
                  about={`${safeText(name)} stops sending until it is enrolled again. What it sent stays.`}
                  path="/api/me/revoke"
                  body={{ device: id }}
                  tell={() => {
                    generation.value += 1;
                    return "Revoked.";
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Who looked at the user's sessions, and why. */
export function OwnLooks({ me }: { me: Me }) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>Who looked at your sessions</h2>
      </div>
      {me.looks.length === 0 ? (
        <p class="blank">Nobody. Others must give a reason, and each access is listed here.</p>
      ) : (
        <ul class="small">
          {me.looks.map(({ id, atMs, viewer, sessionId, reason }) => (
            <li key={id}>
              {moment(atMs)}: {viewer === "" ? "the owner of the database" : safeText(viewer)} at{" "}
              {sessionId === "" ? (
                "all of them"
              ) : (
                <a href={ownSessionHref(sessionId)}>
                  <code>{safeText(sessionId.slice(0, 8))}</code>
                </a>
              )}
              : {safeText(reason)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
