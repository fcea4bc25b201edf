/**
 * Prepares the input of the detection model and finds lines in its output. For each pixel of an
 * image, the model (DB, differentiable binarization) returns the probability that the pixel is
 * inside a line of text.
 */
import type { Box } from "../document.ts";
import { type GrayImage, identity, scaled } from "../pixels/gray-image.ts";

/** Mean and standard deviation of the model's training images, for each colour channel. */
const training = [
  { mean: 0.485, deviation: 0.229 },
  { mean: 0.456, deviation: 0.224 },
  { mean: 0.406, deviation: 0.225 },
];
/** The width and the height of the input must be multiples of this number. */
const grain = 32;
/**
 * Height of letters for which the model works best, in pixels. The image is scaled so that its
 * letters have this height.
 */
const letterPixels = 14;
/** Minimum, usual and maximum length of the longer side of the scaled image, in pixels. */
const [minSide, usualSide, maxSide] = [640, 960, 1280];

/**
 * Maximum height of one input, and the height by which two consecutive inputs overlap, in pixels.
 * Every line must fit into the overlap.
 */
const [stripRows, overlapRows] = [608, 128];

/**
 * One input of the model: a horizontal strip of the image over its whole width. The image is cut
 * into strips because the memory that the model needs grows with the area of its input.
 */
export interface DetectionInput {
  /** Three colour channels, each with `height` rows. */
  values: Float32Array;
  width: number;
  height: number;
  /** Number of image pixels per input pixel. */
  scale: number;
  /** First row of the strip, as a row number in the scaled image. */
  top: number;
  /**
   * Lines whose middle is in this range of rows are taken from this strip; rows are counted from
   * `top`. The ranges do not overlap, so a line in the overlap of two strips is taken only once.
   */
  from: number;
  to: number;
}

/**
 * Yields the strips from top to bottom.
 * @param letterHeight height of most letters in pixels; infinity if it is unknown
 */
export function* detectionInputs(image: GrayImage, letterHeight: number): Generator<DetectionInput> {
  const longer = Math.max(image.width, image.height);
  const side = Number.isFinite(letterHeight) ? (longer * letterPixels) / letterHeight : usualSide;
  const factor = Math.min(1, Math.min(Math.max(side, minSide), maxSide) / longer);
  const small = factor < 1 ? scaled({ image, toPage: identity }, factor).image : image;
  const scale = image.width / small.width;
  for (let top = 0; ; top += stripRows - overlapRows) {
    const bottom = Math.min(top + stripRows, small.height);
    const isLast = bottom === small.height;
    const from = top === 0 ? 0 : overlapRows / 2;
    yield { ...inputOf(small, top, bottom), scale, top, from, to: isLast ? Infinity : stripRows - overlapRows / 2 };
    if (isLast) return;
  }
}

function inputOf(
  image: GrayImage,
  top: number,
  bottom: number,
): { values: Float32Array; width: number; height: number } {
  const width = Math.ceil(image.width / grain) * grain;
  const height = Math.ceil((bottom - top) / grain) * grain;
  const values = new Float32Array(training.length * width * height);
  let at = 0;
  for (const { mean, deviation } of training) {
    for (let y = top; y < top + height; y++) {
      // The input may extend beyond the image. The part outside is filled with copies of the last
      // row and column, so that there is no artificial edge.
      const row = Math.min(y, image.height - 1) * image.width;
      for (let x = 0; x < width; x++) {
        const pixel = image.pixels[row + Math.min(x, image.width - 1)] ?? 0;
        values[at++] = (pixel / 255 - mean) / deviation;
      }
    }
  }
  return { values, width, height };
}

/**
 * Minimum probability of each pixel of a line, and minimum mean probability of all pixels of a
 * line.
 */
const [minPixel, minMean] = [0.3, 0.6];
/**
 * Minimum width and height of the core of a line, which is the part that the model marks, in pixels
 * of the input. A smaller core is a speck of dirt.
 */
const minCorePixels = 3;
/**
 * Factor that determines the margin of a line around its core. The model marks only the core, a
 * strip along the middle of the line. The margin is this factor times the area of the core, divided
 * by the perimeter of the core.
 */
const growth = 1.5;

/** Returns the boxes of the lines of a strip, in pixels of the image. */
export function lineBoxes(probabilities: Float32Array, input: DetectionInput, image: GrayImage): Box[] {
  const { width, height, scale, top, from, to } = input;
  const cores = coresOf(probabilities, width, height).filter(
    ([, y0, , y1]) => (y0 + y1) / 2 >= from && (y0 + y1) / 2 < to,
  );
  const boxes = cores.map(([x0, y0, x1, y1]): Box => {
    const grown = (growth * (x1 - x0) * (y1 - y0)) / (2 * (x1 - x0 + y1 - y0));
    return [
      Math.max(Math.floor((x0 - grown) * scale), 0),
      Math.max(Math.floor((top + y0 - grown) * scale), 0),
      Math.min(Math.ceil((x1 + grown) * scale), image.width),
      Math.min(Math.ceil((top + y1 + grown) * scale), image.height),
    ];
  });
  return boxes.filter(([x0, y0, x1, y1]) => x1 > x0 && y1 > y0);
}

/**
 * Returns the boxes of the cores: groups of connected pixels that are probably inside one line of
 * text.
 */
function coresOf(probabilities: Float32Array, width: number, height: number): Box[] {
  const seen = new Uint8Array(probabilities.length);
  const cores: Box[] = [];
  const group: number[] = [];
  for (let start = 0; start < probabilities.length; start++) {
    if (seen[start] !== 0 || !((probabilities[start] ?? 0) > minPixel)) continue;
    group.length = 0;
    group.push(start);
    seen[start] = 1;
    let [x0, y0, x1, y1, sum] = [width, height, 0, 0, 0];
    for (let index = 0; index < group.length; index++) {
      const at = group[index] ?? 0;
      const x = at % width;
      const y = (at - x) / width;
      sum += probabilities[at] ?? 0;
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + 1), Math.max(y1, y + 1)];
      if (x > 0) reach(at - 1);
      if (x < width - 1) reach(at + 1);
      if (y > 0) reach(at - width);
      if (y < height - 1) reach(at + width);
    }
    if (sum / group.length >= minMean && Math.min(x1 - x0, y1 - y0) >= minCorePixels) cores.push([x0, y0, x1, y1]);
  }
  return cores;

  function reach(at: number): void {
    if (seen[at] !== 0 || !((probabilities[at] ?? 0) > minPixel)) return;
    seen[at] = 1;
    group.push(at);
  }
}
