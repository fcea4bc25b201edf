/** Finds the learned papers with the layout of a paper, and what each says about its fields. */
import type { LeafValue } from "../../engine.ts";
import type { LearnedPaper } from "../../memory.ts";
import type { LearnedAnchors } from "./learned.ts";
import { type Match, matchAnchor } from "./match-anchor.ts";
import type { MemoryView } from "./memory-view.ts";
import { compareSkeletons, decodeSkeleton, type Likeness, type SkeletonItem, skeletonOf } from "./skeleton.ts";
import { keyOf } from "./text-keys.ts";

export interface SimilarPaper {
  id: string;
  /** Order in which it was learned. */
  order: number;
  likeness: Likeness;
  skeleton: readonly SkeletonItem[];
  anchors: LearnedAnchors;
}

/**
 * Minimum share of the fixed texts of a learned paper that stand at the same place, and minimum
 * number. Chosen by hand on two invented layouts, 2026-11.
 */
const minShare = 0.4;
const minCount = 5;
/** Papers that are less similar than this share of the most similar one are not used. */
const ofBest = 0.7;
/** Maximum papers that are used: the latest. */
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

/** Result of one learned paper for a field: a match, or null if the layout has no such value. */
export interface Proposal {
  field: string;
  value: LeafValue;
  match: Match | undefined;
  /** 0 to 1. */
  score: number;
}

/** Weight of a paper without the field. */
const absentScore = 0.8;

/** Returns what a paper says about each field, except for lists. */
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
