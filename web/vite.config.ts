import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import babel from "@rolldown/plugin-babel";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The service that the development server forwards API requests to. */
const service = process.env.SHEAF_URL ?? "http://127.0.0.1:8080";

// Suppresses the warning about Babel. The native transform is a binary that npm does not install on
// Node 20.
process.env.LINGUI_SUPPRESS_BABEL_WARNING = "1";

const here = { cwd: import.meta.dirname };

export default defineConfig({
  plugins: [react(), lingui(here), babel({ presets: [linguiTransformerBabelPreset({}, here)] }), tailwindcss()],
  build: {
    target: "es2023",
    // Inlines no assets, because the Content-Security-Policy forbids inline data in style sheets
    // and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Puts the frame and the start screen, with the libraries that they use, into one chunk. One
    // chunk needs fewer requests and compresses better than fifty small files. The entry module is
    // not part of the chunk, because it waits for the translations, whose modules may import from
    // the chunk. If the entry module were included, each could wait for the other.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: "frame", test: /\/web\/src\/(?:app|screens\/start)\/[\w-]+\.tsx?$/ }] },
      },
    },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { "/v2": { target: service }, "/docs": { target: service } } },
});
