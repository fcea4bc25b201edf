/**
 * Finds the learned documents that have the same layout as a document, and the values that they
 * propose for its fields.
 */
import type { LeafValue } from "../../engine.ts";
import type { LearnedPaper } from "../../memory.ts";
import type { LearnedAnchors } from "./learned.ts";
import { type Match, matchAnchor } from "./match-anchor.ts";
import type { MemoryView } from "./memory-view.ts";
import { compareSkeletons, decodeSkeleton, type Likeness, type SkeletonItem, skeletonOf } from "./skeleton.ts";
import { keyOf } from "./text-keys.ts";

export interface SimilarPaper {
  id: string;
  /** Position in the order in which the documents were learned. */
  order: number;
  likeness: Likeness;
  skeleton: readonly SkeletonItem[];
  anchors: LearnedAnchors;
}

/**
 * A document has the same layout as a learned one only if it has at least this share of the learned
 * fixed texts at the same horizontal positions. Chosen by hand on two invented layouts, 2026-11.
 */
const minShare = 0.4;
/**
 * A document has the same layout as a learned one only if it has at least this many distinct
 * learned fixed texts at the same horizontal positions. Chosen by hand on two invented layouts,
 * 2026-11.
 */
const minCount = 5;
/** Learned documents are used if their similarity is at least this share of the highest one. */
const ofBest = 0.7;
/** Maximum number of learned documents that are used. The latest ones are preferred. */
const maxPapers = 10;

/** @param memory oldest first */
export function similarPapers(view: MemoryView, memory: readonly LearnedPaper[]): SimilarPaper[] {
  if (memory.length === 0) return [];
  const own = skeletonOf(view.layout, () => false);
  const similar = memory.flatMap(({ id, skeleton: text, anchors }, order) => {
    const skeleton = decodeSkeleton(text);
    const likeness = compareSkeletons(skeleton, own);
    if (likeness.share < minShare || likeness.count < minCount) return [];
    return [{ id, order, likeness, skeleton, text: anchors }];
  });
  const best = Math.max(...similar.map(({ likeness }) => likeness.share));
  return similar
    .filter(({ likeness }) => likeness.share >= ofBest * best)
    .slice(-maxPapers)
    .map(({ text, ...paper }) => ({ ...paper, anchors: JSON.parse(text) as LearnedAnchors }));
}

/**
 * What one learned document proposes for a field: a value found in the current document, or null
 * because documents of this layout have no value for the field.
 */
export interface Proposal {
  field: string;
  value: LeafValue;
  match: Match | undefined;
  /**
   * How well the found text agrees with the learned anchor, 0 to 1. `absentScore` if the value is
   * null.
   */
  score: number;
}

/** Score of a proposal which says that the field has no value. */
const absentScore = 0.8;

/** Returns what a learned document proposes for each field that is not a list. */
export function proposalsOf({ anchors, likeness }: SimilarPaper, view: MemoryView): Proposal[] {
  return Object.entries(anchors.fields).flatMap(([field, learned]): Proposal[] => {
    if ("absent" in learned) return [{ field, value: null, match: undefined, score: absentScore }];
    if (!("anchors" in learned)) return [];
    const votes = new Map<string, { match: Match; weight: number }>();
    for (const anchor of learned.anchors) {
      const match = matchAnchor(anchor, likeness, view);
      if (!match) continue;
      const key = typeof match.value === "string" ? keyOf(match.value) : String(match.value);
      const before = votes.get(key);
      const weight = match.score * anchor.prior + (before?.weight ?? 0);
      votes.set(key, { match: before && before.match.score >= match.score ? before.match : match, weight });
    }
    const [best] = [...votes.values()].sort((a, b) => b.weight - a.weight);
    return best ? [{ field, value: best.match.value, match: best.match, score: best.match.score }] : [];
  });
}
