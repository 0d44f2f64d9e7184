import { expect, test } from "vitest";
import { levelOf } from "../../src/sync/levels.ts";

const chosen: Parameters<typeof levelOf>[1] = {
  level: "full",
  projects: [
    { project: "/home/ada/work", level: "outline" },
    { project: "secret", level: "none" },
  ],
};
const policy = { level: "full", mayLower: true } as const;

test.each([
  [{ name: "app", path: "/home/ada/app" }, "full"],
  [{ name: "work", path: "/home/ada/work" }, "outline"],
  [{ name: "api", path: "/home/ada/work/api" }, "outline"],
  [{ name: "worker", path: "/home/ada/worker" }, "full"],
  [{ name: "secret", path: "/home/ada/work/secret" }, "none"],
  [{ name: "secret" }, "none"],
])("the level of %j is the one chosen for its project", (project, level) => {
  expect(levelOf(project, chosen, policy)).toBe(level);
});

test("the level is never above the team's policy, nor below it if the policy forbids that", () => {
  const project = { name: "secret" };
  expect(levelOf({ name: "app" }, chosen, { level: "usage", mayLower: true })).toBe("usage");
  expect(levelOf(project, chosen, { level: "usage", mayLower: false })).toBe("usage");
});
