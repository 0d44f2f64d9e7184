import { address } from "../address.ts";
import type { About } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { colourOf } from "../colours.ts";
import { Pick } from "./pick.tsx";

function useAgents(): About["agents"] {
  return useAnswer<About>("/api/about").value?.agents ?? [];
}

/** The agent filter; hidden if there is only one agent. */
export function PickAgent() {
  const agents = useAgents();
  const chosen = address.value.query.get("agent") ?? "";
  if (agents.length < 2 && chosen === "") return null;
  const options = agents.map(({ id, name }) => ({ value: id, label: name }));
  return <Pick label="Agent" name="agent" chosen={chosen} options={options} />;
}

/** The agent of a session; hidden if there is only one agent. */
export function AgentBadge({ source }: { source: string }) {
  const agents = useAgents();
  const agent = agents.find(({ id }) => id === source);
  if (agents.length < 2 || !agent) return null;
  return (
    <span class="badge agent">
      <i class={`swatch s${colourOf("agent", source)}`} />
      {agent.name}
    </span>
  );
}
