/** Renders Markdown as the HTML of a page. */
import { Marked, type Token, type Tokens } from "marked";
import { codeBlock } from "./highlight.ts";
import { escapeHtml, type Heading } from "./page.ts";

/** Resolves the links and images of one page. Both functions report targets that do not exist. */
export interface Targets {
  /** Returns the URL of a link; undefined if the target is a file that the site does not have. */
  link(href: string): string | undefined;
  /** Returns the attributes of an image. */
  image(href: string): string;
}

export interface Rendered {
  title: string;
  html: string;
  headings: Heading[];
}

const lexer = new Marked({ gfm: true });

export const tokensOf = (text: string): Token[] => lexer.lexer(text);

/** Returns the anchor that GitHub generates from a heading. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** An explicit anchor, for a heading whose text would not give a good anchor. */
const explicitAnchor = /<a id="([\w-]+)"><\/a>/;

/** Returns the anchors of the headings, in order. Repeated headings get -1, -2 and so on. */
export function anchorsOf(tokens: Token[]): string[] {
  const counts = new Map<string, number>();
  return tokens.filter(isHeading).map(({ text }) => {
    const [, explicit] = explicitAnchor.exec(text) ?? [];
    if (explicit !== undefined) return explicit;
    const slug = slugOf(text);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/**
 * @throws Error if the page contains HTML other than comments, anchors and line breaks, or if it
 * does not have exactly one title, which must be its first heading
 */
export function renderMarkdown(tokens: Token[], targets: Targets): Rendered {
  const anchors = anchorsOf(tokens);
  const headings: Heading[] = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ depth, tokens: content }) {
        const html = this.parser.parseInline(content);
        const id = anchors[headings.length] as string;
        headings.push({ depth, id, html: html.replace(/<\/?a(?: [^>]*)?>/g, "") });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      code: ({ text, lang }) => codeBlock(text, lang),
      codespan: ({ text }) => `<code>${breakable(escapeHtml(text))}</code>`,
      html({ text }) {
        if (/^\s*<!--[\s\S]*-->\s*$/.test(text)) return "";
        // Drops the explicit anchor, because the heading element uses it as its id.
        if (/^<a id="[\w-]+">$|^<\/a>$/.test(text)) return "";
        if (text === "<br>") return text;
        throw new Error(`HTML is not supported: ${text.trim()}`);
      },
      table(token) {
        const cell = (tag: string) => (each: Tokens.TableCell) =>
          `<${tag}>${this.parser.parseInline(each.tokens)}</${tag}>`;
        return tableHtml(
          token.header.map(cell("th")),
          token.rows.map((row) => row.map(cell("td"))),
        );
      },
      link({ href, tokens: content }) {
        const html = this.parser.parseInline(content);
        const url = targets.link(href);
        return url === undefined ? `<span class="file">${html}</span>` : `<a href="${escapeHtml(url)}">${html}</a>`;
      },
      image: ({ href, text }) => `<img ${targets.image(href)} alt="${escapeHtml(text)}">`,
    },
  });
  const html = marked.parser(tokens);
  const [first, ...others] = headings;
  if (first?.depth !== 1 || others.some(({ depth }) => depth === 1)) throw new Error("must have one title");
  return { title: first.html, html, headings };
}

/** Lets long names and paths break after a slash, dot or underscore, not in the middle of a word. */
const breakable = (code: string): string =>
  code.length < longCode ? code : code.replace(/(?<=[\w}][/_.])(?=[\w{])/g, "<wbr>");

/**
 * Inline code of at least this many characters may be wider than a table column. Chosen by hand,
 * 2026-11.
 */
const longCode = 14;

/**
 * Returns a table that scrolls by itself if it is wider than the page. Each cell is HTML, including
 * its `th` or `td` tag.
 */
export function tableHtml(header: string[], rows: string[][]): string {
  const row = (cells: string[]) => `<tr>${cells.join("")}</tr>\n`;
  // Screen readers would announce an empty header cell as a heading.
  const titles = header.map((cell) => (cell === "<th></th>" ? "<td></td>" : cell));
  const head = titles.every((cell) => cell === "<td></td>") ? "" : `<thead>${row(titles)}</thead>\n`;
  return `<div class="table"><table>\n${head}<tbody>${rows.map(row).join("")}</tbody></table></div>\n`;
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";
