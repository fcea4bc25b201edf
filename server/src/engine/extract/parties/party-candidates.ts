/** Combines the votes for each name into candidates for the name of a party. */
import type { Party } from "../../lexicon/all-concepts.ts";
import { spanText } from "../../page/run-spans.ts";
import { byScore, type Candidate } from "../candidates/find-candidates.ts";
import { toCandidate } from "../candidates/labelled-text.ts";
import { hasLegalForm } from "../candidates/names.ts";
import { type Vote, voteKey, weightOf } from "./party-votes.ts";
import { partyWeights, tallyWeights } from "./party-weights.ts";

/**
 * Returns candidates for the name of a party. If a name scores higher for the counterpart (the
 * buyer for a seller, otherwise the seller), its score is lowered.
 * @param weights weights of the votes; only the program that fits them passes this argument
 */
export function partyCandidates(
  party: Party,
  votes: readonly Vote[],
  weights: typeof partyWeights = partyWeights,
): Candidate[] {
  const own = tally(
    votes.flatMap((vote) => ownVote(vote, party)),
    weights,
  );
  const counterpart: Party = party === "seller" ? "buyer" : "seller";
  const others = tally(
    votes.filter((vote) => vote.party === counterpart),
    weights,
  );
  const candidates: Candidate[] = [];
  for (const [key, { score, vote }] of own) {
    const other = others.get(key)?.score ?? 0;
    candidates.push(voteCandidate(vote, other > score ? score * tallyWeights.ofOtherParty : score));
  }
  return candidates.sort(byScore);
}

/**
 * Returns the vote if it counts for the party. Votes for the payee also count for the seller, with
 * less weight, because a payee is usually the seller.
 */
function ownVote(vote: Vote, party: Party): Vote[] {
  if (vote.party === party) return [vote];
  return party === "seller" && vote.party === "payee"
    ? [{ ...vote, factor: vote.factor * tallyWeights.payeeAsSeller }]
    : [];
}

/**
 * Short names are compared with full names only if there are at most this many names, because the
 * comparison takes quadratic time. Chosen by hand, 2026-11.
 */
const maxMerged = 200;
/**
 * Minimum length of a short name's key. A shorter key could match by chance. Chosen by hand,
 * 2026-11.
 */
const minShort = 5;

/**
 * Combines all votes for a name into its score. The score is the probability that at least one of
 * the votes is correct.
 */
function tally(votes: readonly Vote[], weights: typeof partyWeights): Map<string, { score: number; vote: Vote }> {
  const names = new Map<string, { miss: number; vote: Vote; count: number }>();
  for (const vote of votes) {
    const key = voteKey(vote);
    const weight = weightOf(vote, weights);
    const known = names.get(key);
    if (!known) names.set(key, { miss: 1 - weight, vote, count: 1 });
    else {
      // A repeated vote counts less, because the same foot is printed on consecutive pages.
      known.count++;
      known.miss *= 1 - weight / known.count;
      if (weight > weightOf(known.vote, weights)) known.vote = vote;
    }
  }
  const { most, leastMiss, shortExponent, shortFactor } = tallyWeights;
  for (const [key, full] of names) {
    if (!hasLegalForm(spanText(full.vote.span)) || names.size > maxMerged) continue;
    // A letterhead may leave out the legal form that is printed in the page foot. In that case, the
    // short name supports the full name.
    for (const [short, { miss }] of names)
      if (short !== key && short.length >= minShort && key.includes(short))
        full.miss *= Math.max(miss, leastMiss) ** shortExponent * shortFactor;
  }
  return new Map([...names].map(([key, { miss, vote }]) => [key, { score: Math.min(most, 1 - miss), vote }]));
}

function voteCandidate(vote: Vote, score: number): Candidate {
  const candidate = toCandidate(vote.span, score);
  if (!vote.upper) return candidate;
  const upper = toCandidate(vote.upper, score);
  return { ...candidate, value: `${upper.value} ${candidate.value}`, words: [...upper.words, ...candidate.words] };
}
