/**
 * Stores data of each user in the browser: classes, started classifications and their corrections.
 */
import type { EditedSegment, Segments } from "./split-model.ts";

export interface ClassRow {
  label: string;
  description: string;
}

export interface RecentSplit {
  id: string;
  name: string;
  /** Time at which the classification was started, in ISO 8601. */
  startedAt: string;
  /** The corrected segments; undefined if nothing was changed. */
  segments?: Segments | undefined;
}

/** How long the service keeps a result, in milliseconds. */
const keptMs = 7 * 86_400_000;
const maxRecent = 20;

const keyOf = (name: string, owner: string): string => `sheaf.split.${name}.${owner}`;

function read(key: string): unknown[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * Stores an entry. If the browser refuses, does nothing, because the screen also works without
 * stored entries.
 */
function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}

type Fields = Record<string, unknown>;
const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const isClassRow = (value: unknown): value is ClassRow =>
  isRecord(value) && typeof value.label === "string" && typeof value.description === "string";

const isSegment = (value: unknown): value is EditedSegment =>
  isRecord(value) &&
  Number.isInteger(value.start) &&
  Number.isInteger(value.end) &&
  typeof value.label === "string" &&
  typeof value.title === "string" &&
  (value.confidence === null || typeof value.confidence === "number");

const isRecent = (value: unknown): value is RecentSplit =>
  isRecord(value) &&
  typeof value.id === "string" &&
  typeof value.name === "string" &&
  typeof value.startedAt === "string" &&
  (value.segments === undefined || (Array.isArray(value.segments) && value.segments.every(isSegment)));

export const readClasses = (owner: string): ClassRow[] => read(keyOf("classes", owner)).filter(isClassRow);
export const writeClasses = (owner: string, classes: readonly ClassRow[]): void =>
  write(keyOf("classes", owner), classes);

/** Returns the classifications whose results the service still has, newest first. */
export const readRecent = (owner: string): RecentSplit[] =>
  read(keyOf("recent", owner))
    .filter(isRecent)
    .filter(({ startedAt }) => Date.now() - Date.parse(startedAt) < keptMs);

export function addRecent(owner: string, recent: RecentSplit): void {
  const others = readRecent(owner).filter(({ id }) => id !== recent.id);
  write(keyOf("recent", owner), [recent, ...others].slice(0, maxRecent));
}

export function removeRecent(owner: string, id: string): void {
  const others = readRecent(owner).filter((each) => each.id !== id);
  write(keyOf("recent", owner), others);
}

/**
 * Stores the corrections of a classification. Adds the classification to the list if it is missing
 * there, as when the user opened it by a link.
 */
export function keepSegments(owner: string, recent: RecentSplit): void {
  const known = readRecent(owner);
  const isKnown = known.some(({ id }) => id === recent.id);
  const changed = known.map((each) => (each.id === recent.id ? { ...each, segments: recent.segments } : each));
  write(keyOf("recent", owner), (isKnown ? changed : [recent, ...known]).slice(0, maxRecent));
}
