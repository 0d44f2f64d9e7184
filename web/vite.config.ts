import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // Inlined files would become data: URLs, which the content policy forbids for scripts and
    // styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Turns and nested turns share a chunk on purpose.
    rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
  },
});
