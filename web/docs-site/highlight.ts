/** Highlights code blocks at build time, with classes that the style sheet colours. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import { escapeHtml } from "./page.ts";

const languages = { sh: bash, ini, json, nginx, ts: typescript, yaml };
// The prefix is short, because a page of the API reference contains thousands of classes.
hljs.configure({ classPrefix: "h-" });
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Languages without a grammar. Their code is not highlighted. */
const plain = new Set(["", "caddyfile", "text"]);

/**
 * Returns a code block as HTML.
 * @throws Error for an unknown language, which is probably a spelling mistake
 */
export function codeBlock(code: string, language = ""): string {
  if (!plain.has(language) && !(language in languages)) throw new Error(`code in the unknown language ${language}`);
  const html = plain.has(language) ? escapeHtml(code) : coloured(code, language);
  return `<pre><code>${html}\n</code></pre>\n`;
}

/**
 * Returns highlighted HTML without markup that has no effect: tags around punctuation, which has no
 * colour, and escapes of quotes between tags.
 */
const coloured = (code: string, language: string): string =>
  hljs
    .highlight(code, { language })
    .value.replace(/<span class="h-punctuation">([^<]*)<\/span>/g, "$1")
    .replaceAll("&quot;", '"');
