import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boundaryRange,
  historyOf,
  mergeWithPrevious,
  moveBoundary,
  redone,
  relabel,
  retitle,
  type Segments,
  segmentsOf,
  splitBefore,
  undone,
  withStep,
} from "./split-model.ts";

const pagesCount = 9;
const result: Segments = [
  { start: 1, end: 3, label: "invoice", title: "Invoice 1", confidence: 0.9 },
  { start: 4, end: 4, label: "letter", title: "Dear Ada", confidence: 0.5 },
  { start: 5, end: 9, label: "contract", title: "Lease", confidence: 0.8 },
];
const ranges = (segments: Segments) => segments.map(({ start, end }) => `${start}-${end}`).join(" ");

function assertWhole(segments: Segments, pages = pagesCount): void {
  const covered = segments.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at));
  assert.deepEqual(
    covered,
    Array.from({ length: pages }, (_, at) => at + 1),
    ranges(segments),
  );
}

test("a result with gaps, overlaps or unordered segments is repaired to cover every page once", () => {
  const segment = (start: number, end: number) => ({ start, end, label: "a", title: "", confidence: 1 });
  for (const [received, expected] of [
    [[segment(1, 3), segment(4, 9)], "1-3 4-9"],
    [[segment(2, 3), segment(6, 7)], "1-5 6-9"],
    [[segment(5, 9), segment(1, 6)], "1-4 5-9"],
    [[segment(1, 4), segment(1, 9), segment(12, 14)], "1-9"],
    [[], "1-9"],
  ] as const) {
    const segments = segmentsOf(pagesCount, received);
    assert.equal(ranges(segments), expected);
    assertWhole(segments);
  }
  assert.deepEqual(segmentsOf(pagesCount, result), result);
});

test("a boundary cannot be moved so far that a neighbouring segment has no page left", () => {
  assert.deepEqual(boundaryRange(result, 1), { min: 2, max: 4 });
  assert.equal(ranges(moveBoundary(result, 1, 2)), "1-1 2-4 5-9");
  assert.equal(ranges(moveBoundary(result, 1, -5)), "1-1 2-4 5-9");
  assert.equal(ranges(moveBoundary(result, 2, 99)), "1-3 4-8 9-9");
  assert.equal(moveBoundary(result, 1, 4), result);
  assert.equal(moveBoundary(result, 0, 2), result);
  assert.equal(moveBoundary(result, 3, 2), result);
  assert.deepEqual(
    moveBoundary(result, 2, 7).map(({ label, confidence }) => [label, confidence]),
    [
      ["invoice", 0.9],
      ["letter", 0.5],
      ["contract", 0.8],
    ],
  );
});

test("merged segments get the label and title of the first one", () => {
  const merged = mergeWithPrevious(result, 2);
  assert.deepEqual(merged[1], { start: 4, end: 9, label: "letter", title: "Dear Ada", confidence: 0.5 });
  assertWhole(merged);
  assert.equal(mergeWithPrevious(result, 0), result);
  assert.equal(mergeWithPrevious(result, 3), result);
});

test("a segment can be split before any page except its first", () => {
  const split = splitBefore(result, 6);
  assert.equal(ranges(split), "1-3 4-4 5-5 6-9");
  assert.deepEqual(split[3], { start: 6, end: 9, label: "contract", title: "", confidence: null });
  for (const page of [1, 4, 5, 0, 10]) assert.equal(splitBefore(result, page), result);
});

test("a label set by a user has no confidence, and cannot be empty", () => {
  assert.deepEqual(relabel(result, 0, "credit note")[0], { ...result[0], label: "credit note", confidence: null });
  assert.equal(relabel(result, 0, "invoice"), result);
  assert.equal(relabel(result, 0, ""), result);
  assert.equal(relabel(result, 7, "x"), result);
  assert.deepEqual(retitle(result, 1, "")[1], { ...result[1], title: "" });
  assert.equal(retitle(result, 1, "Dear Ada"), result);
});

test("steps can be undone and redone, and a new step discards the undone ones", () => {
  let history = historyOf(result);
  assert.equal(undone(history), history);
  assert.equal(redone(history), history);
  history = withStep(history, splitBefore(result, 2));
  history = withStep(history, relabel(history.present, 0, "a"));
  assert.deepEqual(withStep(history, history.present), history);
  assert.equal(ranges(undone(history).present), "1-1 2-3 4-4 5-9");
  assert.equal(undone(undone(history)).present, result);
  assert.deepEqual(redone(redone(undone(undone(history)))), history);
  assert.equal(withStep(undone(history), result).future.length, 0);
});

test("after any sequence of steps, every page is in exactly one segment", () => {
  let seed = 7;
  // A linear congruential generator, so that each run makes the same steps.
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const pages = 20;
  let history = historyOf(segmentsOf(pages, []));
  const sizes = new Set<number>();
  for (let step = 0; step < 2_000; step++) {
    const { present } = history;
    const index = random(present.length + 1);
    const page = random(pages + 3) - 1;
    const steps = [
      () => withStep(history, moveBoundary(present, index, page)),
      () => withStep(history, mergeWithPrevious(present, index)),
      () => withStep(history, splitBefore(present, page)),
      () => withStep(history, relabel(present, index, `label ${step}`)),
      () => undone(history),
      () => redone(history),
    ];
    history = steps[random(steps.length)]?.() ?? history;
    assertWhole(history.present, pages);
    sizes.add(history.present.length);
  }
  assert.ok(sizes.size > 5);
});
