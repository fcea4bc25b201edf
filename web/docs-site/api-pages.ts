/**
 * The API reference, generated from the OpenAPI document: an overview, a page for each group of
 * endpoints, and a page for the types that several groups use.
 */
import { table } from "@sheaf/contract/reference-types.ts";
import { endpointMarkdown, typeMarkdown } from "./api-markdown.ts";
import { renderMarkdown, slugOf, type Targets, tokensOf } from "./markdown.ts";
import { type Endpoint, endpointsOf, type OpenApi, schemasIn } from "./open-api.ts";
import { type Page, pathOf, urlOf } from "./page.ts";

const folder = "reference/api/";
const sharedTypes = `${folder}types.html`;
/** Error responses are listed by their codes, so their types are not shown. */
const isError = (name: string) => name.endsWith("Error");

export function apiPages(document: OpenApi): Page[] {
  const endpoints = endpointsOf(document);
  const groups = document.tags
    .map((tag) => ({ ...tag, endpoints: endpoints.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter((group) => group.endpoints.length > 0)
    .map((group) => ({ ...group, path: `${folder}${group.name.toLowerCase()}.html` }));
  const pathsOfTypes = new Map<string, string>();
  for (const { endpoints: own, path } of groups)
    for (const name of schemasIn(own, document))
      pathsOfTypes.set(name, pathsOfTypes.has(name) && pathsOfTypes.get(name) !== path ? sharedTypes : path);
  const typesAt = (path: string) =>
    Object.entries(document.components.schemas)
      .filter(([name]) => pathsOfTypes.get(name) === path && !isError(name))
      .flatMap(([name, schema]) => typeMarkdown(name, schema));
  const render = (path: string, blocks: string[]): Page => ({
    path,
    group: "Programmer · API",
    ...withMethods(renderMarkdown(tokensOf(blocks.join("\n\n")), targetsAt(path, pathsOfTypes))),
  });
  return [
    render(`${folder}index.html`, overviewMarkdown(document, groups)),
    ...groups.map(({ name, description, endpoints: own, path }) => {
      const types = typesAt(path);
      return render(path, [
        `# ${name}`,
        description,
        ...own.flatMap(endpointMarkdown),
        ...(types.length > 0 ? ["## Types", ...types] : []),
      ]);
    }),
    render(sharedTypes, ["# Types", "Types that several groups of endpoints use.", ...typesAt(sharedTypes)]),
  ];
}

interface Group {
  name: string;
  description: string;
  path: string;
  endpoints: Endpoint[];
}

/**
 * Returns the overview. A table for each group links each route to its description. The heading of
 * the description is the summary, which is unique in the group, so no anchor has a number appended.
 */
const overviewMarkdown = ({ info }: OpenApi, groups: Group[]): string[] => [
  "# API",
  info.description,
  "The same as [OpenAPI document](docs/reference/openapi.json), for tools that read one.",
  ...groups.flatMap(({ name, description, path, endpoints }) => [
    `## [${name}](${path})`,
    description,
    table(
      ["Endpoint", "Purpose"],
      endpoints.map(({ route, summary }) => [`[\`${route}\`](${path}#${slugOf(summary)})`, summary]),
    ),
  ]),
];

function targetsAt(path: string, pathsOfTypes: ReadonlyMap<string, string>): Targets {
  const byAnchor = new Map([...pathsOfTypes].map(([name, at]) => [`type-${name.toLowerCase()}`, at]));
  return {
    link(href) {
      if (href === "docs/reference/openapi.json") return "/v2/openapi.json";
      if (href.startsWith(folder)) return urlOf(href);
      const source = pathOf(href);
      if (source !== undefined) return urlOf(source);
      const at = byAnchor.get(href.slice(1));
      if (at === undefined) throw new Error(`${path} links to ${href}, which does not exist`);
      return at === path ? href : urlOf(at) + href;
    },
    image: (href) => {
      throw new Error(`the OpenAPI document shows the picture ${href}`);
    },
  };
}

/** Marks up the method of each route separately from its path. */
const withMethods = <Rendered extends { html: string }>(rendered: Rendered): Rendered => ({
  ...rendered,
  html: rendered.html.replace(
    /<code>(GET|POST|PUT|PATCH|DELETE) (\/.*?)<\/code>/g,
    (_, method: string, path: string) =>
      `<span class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></span>`,
  ),
});
