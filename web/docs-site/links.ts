/**
 * Resolves the links of Markdown pages to pages of the site or to other sites. Links to repository
 * files that are not pages of the site become text.
 */
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type { Assets } from "./assets.ts";
import type { Targets } from "./markdown.ts";
import { apiSource } from "./navigation.ts";
import { escapeHtml, pathOf, urlOf } from "./page.ts";
import { sizeOf } from "./pictures.ts";

/** The OpenAPI document, which the service serves itself. */
const openApi = { source: "docs/reference/openapi.json", url: "/v2/openapi.json" };

export interface LinkCheck {
  root: string;
  assets: Assets;
  /** Anchors of each page, by the path of its Markdown file. */
  anchors: ReadonlyMap<string, ReadonlySet<string>>;
  /** Descriptions of broken links, to be reported. */
  problems: string[];
}

export function targetsOf(source: string, { root, assets, anchors, problems }: LinkCheck): Targets {
  const report = (href: string, reason: string) => void problems.push(`${source} links to ${href}: ${reason}`);
  return {
    link(href) {
      if (/^[a-z][a-z\d+.-]*:/i.test(href)) {
        if (!/^(?:https?|mailto):/.test(href)) report(href, "other sites need http, https or mailto");
        return href;
      }
      const [file = "", anchor] = href.split("#");
      const target = file === "" ? source : pageOf(root, posix.join(posix.dirname(source), file));
      if (target === openApi.source) return openApi.url;
      if (!existsSync(join(root, target))) return report(href, "there is no such file");
      const found = anchors.get(target);
      if (found === undefined) return undefined;
      if (anchor !== undefined && !found.has(anchor)) report(href, `${target} has no such heading`);
      const path = target === apiSource ? "reference/api/index.html" : (pathOf(target) as string);
      return urlOf(path) + (anchor === undefined ? "" : `#${anchor}`);
    },
    image(href) {
      const path = join(root, posix.join(posix.dirname(source), href));
      if (!existsSync(path)) {
        report(href, "there is no such picture");
        return "";
      }
      const { width, height } = sizeOf(path);
      return `src="${escapeHtml(assets.copy(path))}" width="${width}" height="${height}" loading="lazy" decoding="async"`;
    },
  };
}

/**
 * If the path is a folder with a README, returns the README, as Git hosting sites do. Otherwise
 * returns the path itself.
 */
function pageOf(root: string, path: string): string {
  const readme = posix.join(path, "README.md");
  return !path.endsWith(".md") && existsSync(join(root, readme)) ? readme : path;
}
