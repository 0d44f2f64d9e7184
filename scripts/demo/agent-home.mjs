import { readFileSync } from "node:fs";
import { Files } from "./files.mjs";
import { play } from "./play.mjs";
import { parseStory } from "./story.mjs";

/**
 * All files of an agent's home, by their path, from the stories named after it:
 * `bakery-api.codex.story` is about the project bakery-api.
 */
export function agentFiles(name, { tools, sessionFiles, filesBeside }, projects) {
  const own = projects.filter(({ agents = [] }) => agents.includes(name));
  const sessions = own.flatMap((project) => sessionsOf(project, name, tools));
  const files = sessions.flatMap((session) => [...sessionFiles(session, session.project)]);
  return new Map([...files, ...filesBeside(sessions)]);
}

function sessionsOf(project, agent, tools) {
  const path = new URL(`${project.story}.${agent}.story`, import.meta.url);
  const story = parseStory(readFileSync(path, "utf8"));
  const files = new Files(project.path);
  for (const { word, text } of story.files) files.write(word, [text, ""].join("\n"));
  return story.sessions.map((session) => {
    return { ...play(session, { project, files, tools }), project };
  });
}
