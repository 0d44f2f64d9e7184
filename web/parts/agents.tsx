import { signal } from "@preact/signals";
import { address } from "../address.ts";
import type { About } from "../answers.ts";
import { colourOf } from "../colours.ts";
import { Pick } from "./pick.tsx";

/** The agents that have sessions; every row of a list needs them. */
export const agents = signal<About["agents"]>([]);

/** The agent filter; hidden if there is only one agent. */
export function PickAgent() {
  const chosen = address.value.query.get("agent") ?? "";
  if (agents.value.length < 2 && chosen === "") return null;
  const options = agents.value.map(({ id, name }) => ({ value: id, label: name }));
  return <Pick label="Agent" name="agent" chosen={chosen} options={options} />;
}

/** The agent of a session; hidden if there is only one agent. */
export function AgentBadge({ source }: { source: string }) {
  const agent = agents.value.find(({ id }) => id === source);
  if (agents.value.length < 2 || !agent) return null;
  return (
    <span class="badge agent">
      <i class={`swatch s${colourOf("agent", source)}`} />
      {agent.name}
    </span>
  );
}
