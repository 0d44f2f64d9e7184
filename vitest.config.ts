import { defineConfig } from "vitest/config";
import type { ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    testTimeout: 60_000,
    setupFiles: ["test/setup.ts"],
    // Its modules name one another without their extension, which only a bundler understands.
    server: { deps: { inline: ["@ldclabs/cose-ts"] } },
    projects: [
      { extends: true, test: { name: "unit", include: ["test/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "long", include: ["test/long/**/*.long.ts"], testTimeout: 1_800_000 },
      },
    ],
  },
});

export default config;
