/** Postal addresses: the lines from the name's next line to the town, labelled or by their party. */
import { byScore, type Candidate } from "./candidates.ts";
import type { Layout, PageLayout, Segment } from "./layout.ts";
import { whole } from "./pairs.ts";
import type { Query } from "./params.ts";
import { isAddressLine, isStreetLine, textCandidates, toCandidate } from "./parties.ts";
import { type RoleOf, readRoles } from "./roles.ts";

const maxLines = 6;
const countryName = /^\p{Lu}[\p{L} /]{2,30}$/u;

export function addressCandidates(query: Query, layout: Layout): Candidate[] {
  const labelled = textCandidates(query, layout).map((candidate) => extended(candidate, layout));
  const blocks = layout.pages.slice(0, 3).flatMap((page) => {
    const roles = readRoles(page);
    return page.segments
      .filter((segment) => isAddressLine(segment.text))
      .map((segment) => blockCandidate(query, page, segment, roles));
  });
  return [...labelled, ...blocks].sort(byScore);
}

/** The block that ends in the town's line, without the name on top. */
function blockCandidate(query: Query, page: PageLayout, town: Segment, roles: RoleOf): Candidate {
  const lines = [town];
  for (let up = town.row - 1; up >= 0 && lines.length < maxLines; up--) {
    const first = lines[0] ?? town;
    const next = alignedIn(page, up, town);
    if (!next && first.box[1] - (page.rows[up]?.[0]?.box[3] ?? 0) > 2 * town.height) break;
    if (!next) continue;
    if (first.box[1] - next.box[3] > 2 * town.height || !isStreetLine(next.text) || /:\s*\S/.test(next.text)) break;
    lines.unshift(next);
  }
  const role = roles(town);
  const score = role === undefined || !query.party ? 0.5 : role === query.party ? 0.75 : 0.15;
  return joined(page, lines, score);
}

const alignedIn = (page: PageLayout, row: number, town: Segment): Segment | undefined =>
  page.rows[row]?.find((segment) => Math.abs(segment.box[0] - town.box[0]) < 0.7 * town.height);

/** A labelled first line goes on to the town below it. */
function extended(candidate: Candidate, layout: Layout): Candidate {
  const page = layout.pages[candidate.page];
  if (!page || isAddressLine(String(candidate.value))) return candidate;
  const lines: Segment[] = [];
  for (let down = candidate.segment.row + 1; down < page.rows.length && lines.length < maxLines; down++) {
    const next = page.rows[down]?.find(
      (segment) =>
        Math.abs(segment.box[0] - (candidate.start === 0 ? candidate.segment.box[0] : segment.box[0])) <
        0.7 * segment.height,
    );
    if (
      !next ||
      next.box[1] - (lines.at(-1) ?? candidate.segment).box[3] > 1.5 * next.height ||
      /:\s*\S/.test(next.text)
    )
      break;
    lines.push(next);
    if (isAddressLine(next.text)) break;
  }
  if (!lines.some((line) => isAddressLine(line.text))) return candidate;
  const rest = joined(page, lines, 0);
  return { ...candidate, value: `${candidate.value} ${rest.value}`, words: [...candidate.words, ...rest.words] };
}

function joined(page: PageLayout, lines: readonly Segment[], score: number): Candidate {
  const below = lines.at(-1);
  const after = below && alignedIn(page, below.row + 1, below);
  const all =
    after && countryName.test(after.text) && after.box[1] - below.box[3] < below.height ? [...lines, after] : lines;
  const parts = all.map((line) => toCandidate(whole(page, line), score));
  const first = parts[0] as Candidate;
  return { ...first, value: parts.map((part) => part.value).join(" "), words: parts.flatMap((part) => part.words) };
}
