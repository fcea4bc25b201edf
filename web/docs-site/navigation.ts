/**
 * The pages of the documentation in reading order, grouped by kind of reader: tutorials first, then
 * how-to guides, then reference. Paths are those of the Markdown files.
 */

export interface NavigationEntry {
  /** Markdown file, relative to the root of the repository. */
  source: string;
  /** Shown in the navigation instead of the title of the page. */
  label?: string;
}

export interface NavigationGroup {
  label: string;
  parts: { label: string; entries: NavigationEntry[] }[];
}

/** Placeholder for the pages that are generated from the OpenAPI document. */
export const apiSource = "docs/reference/api.md";
/** Lists the decisions by subject. */
export const decisionsSource = "docs/decisions/README.md";
/** The first page of the site. */
export const homeSource = "docs/README.md";

const entries = (...sources: (string | [source: string, label: string])[]): NavigationEntry[] =>
  sources.map((each) => (typeof each === "string" ? { source: each } : { source: each[0], label: each[1] }));

export const navigation: NavigationGroup[] = [
  {
    label: "Start",
    parts: [{ label: "", entries: entries([homeSource, "Contents"], ["README.md", "Quick start"]) }],
  },
  {
    label: "Programmer",
    parts: [
      { label: "Tutorial", entries: entries(["docs/tutorials/programmer.md", "From a file to data"]) },
      {
        label: "How-to guides",
        entries: entries(
          "docs/extraction.md",
          ["docs/quality.md", "Quality"],
          ["docs/classification.md", "Classification"],
          ["docs/corpus.md", "Corpus and questions"],
          ["docs/webhooks.md", "Webhooks"],
          "docs/mcp.md",
          "docs/integrations.md",
          ["client/README.md", "TypeScript client"],
          "examples/README.md",
        ),
      },
      {
        label: "Reference",
        entries: entries([apiSource, "API"], "docs/http.md", ["docs/reference/errors.md", "Error codes"]),
      },
    ],
  },
  {
    label: "Operator",
    parts: [
      { label: "Tutorial", entries: entries(["docs/tutorials/operator.md", "From install to upgrade"]) },
      {
        label: "How-to guides",
        entries: entries(
          "docs/operations/install.md",
          "docs/operation.md",
          "docs/operations/sizing.md",
          "docs/proxy.md",
          "docs/s3.md",
          "docs/machines.md",
          ["docs/operations/recovery.md", "Backup and recovery"],
          "docs/operations/monitoring.md",
          "docs/language-models.md",
          "docs/subscriptions.md",
        ),
      },
      {
        label: "Reference",
        entries: entries(["docs/reference/configuration.md", "Settings"], "docs/observability.md", "SECURITY.md"),
      },
    ],
  },
  {
    label: "Administrator",
    parts: [
      { label: "Tutorial", entries: entries(["docs/tutorials/administrator.md", "From first sign-in to audit"]) },
      { label: "How-to guides", entries: entries(["docs/web/README.md", "Web application"], "docs/access.md") },
    ],
  },
  {
    label: "Project",
    parts: [
      {
        label: "",
        entries: entries([decisionsSource, "Decisions"], "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"),
      },
    ],
  },
];
