import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // Inlined files would be data: addresses, which the page may not load as scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A conversation may hold a conversation; they share a chunk, and that is meant.
    rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
  },
});
