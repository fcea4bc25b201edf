/**
 * Finds ruled lines in an image: the borders of tables, boxes and rows, and the edges of shaded
 * rows. A ruled line is a thin dark stripe with lighter paper on both sides. The edge of a shaded
 * area has uniform areas of different brightness on its two sides. To find lines of one direction,
 * the image is cut into narrow strips at right angles to that direction. Lines and edges that are
 * found at matching positions in neighbouring strips are chained. Chains may slope a little and may
 * have gaps, because scans are never exactly straight and faint lines break.
 */
import type { GrayImage } from "./gray-image.ts";

/**
 * A line from the point (x0, y0) to (x1, y1), in pixels. Horizontal lines run to the right, and
 * vertical lines run down.
 */
export interface RuledLine {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** Share (0–1) of the line's length over which the line was found. The rest is gaps. */
  found: number;
}

export interface RuledLines {
  level: RuledLine[];
  upright: RuledLine[];
}

/**
 * Widths of the strips in which lines and edges of shaded areas are searched for, in pixels. Strips
 * for edges are wider, because shaded areas may be hardly darker than the paper, and averaging over
 * a wide strip reduces noise. Chosen by hand, 2026-11.
 */
const [lineStrip, shadeStrip] = [4, 16];
/**
 * Minimum difference in brightness between a line and the paper beside it, in levels (of 255).
 * Chosen by hand, 2026-11.
 */
const minContrast = 12;
/**
 * Distance from the middle of a line at which the brightness of the paper is measured, in pixels.
 * Lines may be almost as thick as this distance. Chosen by hand, 2026-11.
 */
const lineReach = 5;
/**
 * Minimum lengths of a horizontal line, of a vertical line, and of an edge of a shaded area, in
 * pixels. Chosen by hand, 2026-11.
 */
const [minLevel, minUpright, minEdge] = [30, 20, 100];
/**
 * The two sides of an edge differ in brightness by at least `minStep` of 255 levels. Within each
 * side, the brightness differs by at most `maxUneven`. A side is `sidePixels` wide. Chosen by hand,
 * 2026-11.
 */
const [minStep, maxUneven, sidePixels] = [4, 3, 3];
/** Maximum length of a gap in a line, in pixels. Chosen by hand, 2026-11. */
const maxGap = 16;
/** Maximum shift of a line from one strip to the next, in pixels. Chosen by hand, 2026-11. */
const maxShift = 1.5;
/**
 * Maximum slope of a line. It is small because the image has been deskewed. Chosen by hand,
 * 2026-11.
 */
const maxSlope = 0.02;
/**
 * A line must be found in at least this share (0–1) of the strips between its ends. Chosen by hand,
 * 2026-11.
 */
const minFound = 0.7;
/**
 * Maximum number of lines in one direction. A picture with more lines is not a form. Chosen by
 * hand, 2026-11.
 */
const maxLines = 4000;

export function ruledLines(image: GrayImage): RuledLines {
  const linesIn = (pixels: GrayImage, minLength: number): Found[] => [
    ...chainsIn(stripsOf(pixels, lineStrip), lineSpots, minLength),
    ...chainsIn(stripsOf(pixels, shadeStrip), edgeSpots, minEdge),
  ];
  return {
    level: linesIn(image, minLevel).map(({ from, to, ...more }) => ({
      ...{ x0: from.along, y0: from.at, x1: to.along, y1: to.at, ...more },
    })),
    upright: linesIn(transposed(image), minUpright).map(({ from, to, ...more }) => ({
      ...{ x0: from.at, y0: from.along, x1: to.at, y1: to.along, ...more },
    })),
  };
}

/**
 * A line is certainly not a row of letters if its `found` share (0–1) and its evenness are at least
 * these values. Chosen by hand, 2026-11.
 */
const [minRuleFound, minEvenness] = [0.85, 0.6];

/** Returns true if the line is certainly drawn, and not a row of small letters. */
export const isRule = (image: GrayImage, line: RuledLine): boolean =>
  line.found >= minRuleFound && evennessOf(image, line) >= minEvenness;

/**
 * Returns the evenness of a line: how dark its lightest places are (the 20th percentile), as a
 * share of its median darkness. Drawn lines are even. In a row of letters there is paper between
 * the strokes.
 */
function evennessOf({ width, height, pixels }: GrayImage, { x0, y0, x1, y1 }: RuledLine): number {
  const isLevel = x1 - x0 > y1 - y0;
  const length = Math.trunc(Math.max(x1 - x0, y1 - y0));
  const pixel = (x: number, y: number): number =>
    pixels[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] ?? 0;
  const contrasts: number[] = [];
  for (let step = 0; step < length; step++) {
    const [x, y] = [Math.round(x0 + ((x1 - x0) * step) / length), Math.round(y0 + ((y1 - y0) * step) / length)];
    const across = (away: number): number => (isLevel ? pixel(x, y + away) : pixel(x + away, y));
    contrasts.push(Math.min(across(-lineReach), across(lineReach)) - Math.min(across(-1), across(0), across(1)));
  }
  contrasts.sort((a, b) => a - b);
  return (contrasts[Math.trunc(length / 5)] ?? 0) / Math.max(1, contrasts[length >> 1] ?? 0);
}

/** Returns the lines that have at least the minimum length for their direction, in pixels. */
export const longLines = ({ level, upright }: RuledLines, minLevel: number, minUpright: number): RuledLines => ({
  level: level.filter(({ x0, x1 }) => x1 - x0 >= minLevel),
  upright: upright.filter(({ y0, y1 }) => y1 - y0 >= minUpright),
});

export const scaledLines = ({ level, upright }: RuledLines, factor: number): RuledLines => {
  const scaled = ({ x0, y0, x1, y1, ...more }: RuledLine): RuledLine => ({
    ...{ x0: x0 * factor, y0: y0 * factor, x1: x1 * factor, y1: y1 * factor, ...more },
  });
  return { level: level.map(scaled), upright: upright.map(scaled) };
};

/**
 * Minimum length of a line that is erased: a share of the width of the image for horizontal lines,
 * a share of its height for vertical lines, and at least `minErased` pixels. Lines that may be
 * letters are not erased. Chosen by hand, 2026-11.
 */
const [erasedOfWidth, erasedOfHeight, minErased] = [0.08, 0.04, 80];
/**
 * Distances from the middle of a line, in pixels. The line is painted over up to the first
 * distance, and the paper is measured at the second. Chosen by hand, 2026-11.
 */
const [paintReach, paperReach] = [3, 5];
/**
 * Maximum difference in brightness between the two sides of a line at a place that is painted over.
 * A larger difference means that a letter touches the line there. Chosen by hand, 2026-11.
 */
const maxTouch = 40;

/** Returns the image without its long lines, which OCR engines take for letters or for pictures. */
export function withoutLines(image: GrayImage, lines: RuledLines): GrayImage {
  const { width, height } = image;
  const long = longLines(
    lines,
    Math.max(minErased, width * erasedOfWidth),
    Math.max(minErased, height * erasedOfHeight),
  );
  const [level, upright] = [long.level, long.upright].map((all) => all.filter((line) => isRule(image, line)));
  if (!level?.length && !upright?.length) return image;
  const pixels = Uint8Array.from(image.pixels);
  // The pixel at the distance `across` from the line has the index `at + across * step`.
  const paint = (at: number, step: number): void => {
    const [one, other] = [pixels[at - paperReach * step] ?? 0, pixels[at + paperReach * step] ?? 0];
    if (Math.abs(one - other) > maxTouch) return;
    for (let across = -paintReach; across <= paintReach; across++) pixels[at + across * step] = Math.max(one, other);
  };
  for (const { x0, y0, x1, y1 } of level ?? []) {
    for (let x = Math.max(0, Math.ceil(x0)); x < Math.min(width, x1); x++) {
      const y = Math.round(y0 + ((y1 - y0) * (x - x0)) / (x1 - x0));
      if (y >= paperReach && y < height - paperReach) paint(y * width + x, width);
    }
  }
  for (const { x0, y0, x1, y1 } of upright ?? []) {
    for (let y = Math.max(0, Math.ceil(y0)); y < Math.min(height, y1); y++) {
      const x = Math.round(x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));
      if (x >= paperReach && x < width - paperReach) paint(y * width + x, 1);
    }
  }
  return { width, height, pixels };
}

function transposed({ width, height, pixels }: GrayImage): GrayImage {
  const result = new Uint8Array(pixels.length);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) result[x * height + y] = pixels[at] ?? 0;
  return { width: height, height: width, pixels: result };
}

/**
 * Mean brightness of each row in each strip. `means` contains one strip after another, and the rows
 * of each strip from top to bottom.
 */
interface Strips {
  /** Width of a strip, in pixels. */
  width: number;
  count: number;
  height: number;
  means: Float32Array;
}

function stripsOf({ width, height, pixels }: GrayImage, stripPixels: number): Strips {
  const count = Math.trunc(width / stripPixels);
  const means = new Float32Array(count * height);
  for (let y = 0; y < height; y++) {
    let at = y * width;
    for (let strip = 0; strip < count; strip++) {
      let sum = 0;
      for (let x = 0; x < stripPixels; x++) sum += pixels[at++] ?? 0;
      means[strip * height + y] = sum / stripPixels;
    }
  }
  return { width: stripPixels, count, height, means };
}

/**
 * A place on a line: `along` is its coordinate in the direction of the line, and `at` is its
 * coordinate across the line.
 */
interface Place {
  along: number;
  at: number;
}

interface Chain {
  places: Place[];
  /** Index of the strip that contains the last place. */
  strip: number;
}

/** The two ends of a line. */
interface Found extends Pick<RuledLine, "found"> {
  from: Place;
  to: Place;
}

function chainsIn(strips: Strips, spotsIn: (strips: Strips, strip: number) => Place[], minLength: number): Found[] {
  const maxStrips = Math.max(1, Math.round(maxGap / strips.width));
  const lines: Chain[] = [];
  const end = (chain: Chain): void => {
    if (lines.length < maxLines && isLine(chain, strips.width, minLength)) lines.push(chain);
  };
  let open: Chain[] = [];
  for (let strip = 0; strip < strips.count; strip++) {
    const going: Chain[] = [];
    for (const chain of open) {
      if (strip - chain.strip > maxStrips + 1) end(chain);
      else going.push(chain);
    }
    open = withSpots(going, spotsIn(strips, strip), strip);
  }
  open.forEach(end);
  return lines.map(({ places }) => endsOf(places, strips.width));
}

/** Returns the middles of the thin dark spots in a strip, from the top. */
function lineSpots({ means, height, width }: Strips, strip: number): Place[] {
  const spots: Place[] = [];
  const along = (strip + 0.5) * width;
  const first = strip * height;
  const isLine = (row: number): boolean => {
    const lighter = (means[first + row] ?? 0) + minContrast;
    return lighter <= (means[first + row - lineReach] ?? 0) && lighter <= (means[first + row + lineReach] ?? 0);
  };
  for (let row = lineReach; row < height - lineReach; row++) {
    if (!isLine(row)) continue;
    const from = row;
    while (row + 1 < height - lineReach && isLine(row + 1)) row++;
    spots.push({ along, at: (from + row) / 2 });
  }
  return spots;
}

/**
 * Returns the edges between two uniform areas of different brightness in a strip, from the top.
 * Text near an edge makes one of the areas uneven, so no edge is found there.
 */
function edgeSpots({ means, height, width }: Strips, strip: number): Place[] {
  const spots: Place[] = [];
  const along = (strip + 0.5) * width;
  const first = strip * height;
  const reach = sidePixels + 1;
  let best: { row: number; step: number } | undefined;
  for (let row = reach; row < height - reach; row++) {
    const step = stepAt(means, first + row);
    if (step >= minStep) {
      if (!best || step > best.step) best = { row, step };
    } else if (best) {
      spots.push({ along, at: best.row });
      best = undefined;
    }
  }
  return spots;
}

/**
 * Returns the difference in brightness between the rows above and the rows below a row. Returns 0
 * if one side is uneven.
 */
function stepAt(means: Float32Array, at: number): number {
  let [above, below, aboveMin, aboveMax, belowMin, belowMax] = [0, 0, 255, 0, 255, 0];
  for (let away = 1; away <= sidePixels; away++) {
    const [over, under] = [means[at - away] ?? 0, means[at + away] ?? 0];
    above += over;
    below += under;
    aboveMin = Math.min(aboveMin, over);
    aboveMax = Math.max(aboveMax, over);
    belowMin = Math.min(belowMin, under);
    belowMax = Math.max(belowMax, under);
  }
  if (aboveMax - aboveMin > maxUneven || belowMax - belowMin > maxUneven) return 0;
  return Math.abs(above - below) / sidePixels;
}

/**
 * Adds each spot to the chain that it continues, or starts a new chain with it. Chains and spots
 * are both sorted from the top, so a single pass over them is enough.
 */
function withSpots(chains: Chain[], spots: readonly Place[], strip: number): Chain[] {
  const result: Chain[] = [];
  let next = 0;
  for (const spot of spots) {
    let best: Chain | undefined;
    while (next < chains.length && endOf(chains[next]) < spot.at - maxShift) result.push(chains[next++] as Chain);
    if (next < chains.length && endOf(chains[next]) <= spot.at + maxShift) best = chains[next++];
    if (best) {
      best.places.push(spot);
      best.strip = strip;
      result.push(best);
    } else result.push({ places: [spot], strip });
  }
  result.push(...chains.slice(next));
  return result.sort((a, b) => endOf(a) - endOf(b));
}

const endOf = (chain: Chain | undefined): number => chain?.places.at(-1)?.at ?? Number.POSITIVE_INFINITY;

function isLine({ places }: Chain, width: number, minLength: number): boolean {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return false;
  const length = last.along - first.along + width;
  const isStraight = Math.abs(last.at - first.at) <= maxSlope * length + maxShift;
  return isStraight && length >= minLength && places.length * width >= minFound * length;
}

/** Returns the ends of the straight line that fits the places best (least squares). */
function endsOf(places: readonly Place[], width: number): Found {
  const [first, last] = [places[0] ?? { along: 0, at: 0 }, places.at(-1) ?? { along: 0, at: 0 }];
  const [from, to] = [first.along - width / 2, last.along + width / 2];
  const count = places.length;
  const meanAlong = places.reduce((sum, { along }) => sum + along, 0) / count;
  const meanAt = places.reduce((sum, { at }) => sum + at, 0) / count;
  let [square, product] = [0, 0];
  for (const { along, at } of places) {
    square += (along - meanAlong) ** 2;
    product += (along - meanAlong) * (at - meanAt);
  }
  const slope = square > 0 ? product / square : 0;
  const place = (along: number): Place => ({ along, at: meanAt + slope * (along - meanAlong) });
  return { from: place(from), to: place(to), found: (count * width) / (to - from) };
}
