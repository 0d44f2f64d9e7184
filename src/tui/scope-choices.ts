import { counted } from "../cli/print/figures.ts";
import { optional } from "../core/optional.ts";
import type { Choice } from "./chooser.ts";
import type { HomeContext } from "./screen.ts";

/** The choices for the agent filter. */
export async function agentChoices(home: HomeContext): Promise<Choice[]> {
  const { period, project } = home.scope;
  const scope = { period, ...optional("project", project) };
  const agents = await (await home.library()).agents();
  return [
    { name: "all agents", about: "", take: () => home.setScope(scope) },
    ...agents.map(({ id, name, sessions }) => {
      const about = counted(sessions, "session");
      return { name, about, take: () => home.setScope({ ...scope, source: id }) };
    }),
  ];
}

/** The choices for the project filter, most expensive first. */
export async function projectChoices(home: HomeContext): Promise<Choice[]> {
  const { period, source } = home.scope;
  const whose = optional("source", source);
  const scope = { period, ...whose };
  const { rows } = await (await home.questions()).usage({ ...whose, by: ["project"] });
  return [
    { name: "all projects", about: "", take: () => home.setScope(scope) },
    ...rows.map(({ key, label, sessions }) => {
      const about = `${counted(sessions, "session")}  ${key === label ? "" : key}`;
      return { name: label ?? key, about, take: () => home.setScope({ ...scope, project: key }) };
    }),
  ];
}
