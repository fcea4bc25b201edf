/**
 * Helpers for validation in code instead of in a schema. They collect a limited number of issues
 * and never echo long input.
 */
import type { Issue } from "./errors.ts";
import { limits } from "./limits.ts";

/** Collects issues up to `limits.maxIssues`; further ones are dropped. */
export class IssueList {
  readonly list: Issue[] = [];

  get full(): boolean {
    return this.list.length >= limits.maxIssues;
  }

  add(path: string, message: string): void {
    if (!this.full) this.list.push({ path, message });
  }

  addProblem(path: string, message: string | undefined): void {
    if (message !== undefined) this.add(path, message);
  }

  addAll(issues: Iterable<Issue>): void {
    for (const issue of issues) {
      if (this.full) return;
      this.list.push(issue);
    }
  }
}

/** Returns whether a value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Yields one issue per unknown key. A long key is not echoed; its issue refers to the object. */
export function* unknownKeys(
  value: Record<string, unknown>,
  known: ReadonlySet<string>,
  path: string,
): Generator<Issue> {
  for (const key of Object.keys(value)) {
    if (known.has(key)) continue;
    yield key.length <= echoedKeyLength && key.isWellFormed()
      ? { path: `${path}/${escapePointer(key)}`, message: "is not a known key" }
      : { path, message: "has an unknown key" };
  }
}

const echoedKeyLength = 64;

/** Escapes a key as a token of a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
