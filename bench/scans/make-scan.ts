/**
 * Simulates how a scanner or a camera captures the image of a printed page. All geometric
 * transforms of a page are one homography, so that the position of each word in the scan is known.
 */
import { mulberry32 } from "../../fit/random.ts";
import type { GrayImage } from "../../server/src/reading/pixels/gray-image.ts";

export interface ScanPlan {
  /** Rotation of the page, in degrees. Positive is clockwise. */
  skew: number;
  /**
   * Angles between the axis of the camera and the page's normal, in degrees: to the right, and
   * downwards.
   */
  tilt?: readonly [right: number, down: number];
  /** Standard deviation of the blur, in pixels. */
  blur: number;
  /** Standard deviation of the noise, in gray levels. */
  noise: number;
  /** Brightness at the darkest point of the shadow, as a share (0–1) of the full brightness. */
  shade?: number;
  /** Share (0–1) of the width that the page fills. The rest is the table that it lies on. */
  fill?: number;
  seed: number;
}

/** Gray levels of the sheet, of the print, and of the table below the sheet. */
const [paperGray, inkGray, tableGray] = [238, 28, 96];

export function makeScan(page: GrayImage, plan: ScanPlan): GrayImage {
  const random = mulberry32(plan.seed);
  const toPage = backTransform(page, plan);
  const shadow = shadowOf(page, plan, random);
  const scan = new Uint8Array(page.width * page.height);
  const isPhoto = plan.fill !== undefined;
  for (let y = 0, at = 0; y < page.height; y++) {
    for (let x = 0; x < page.width; x++, at++) {
      const [u, v] = project(toPage, x + 0.5, y + 0.5);
      const gray = grayAt(page, u - 0.5, v - 0.5);
      const light = gray < 0 ? (isPhoto ? tableGray : paperGray) : inkGray + (gray / 255) * (paperGray - inkGray);
      scan[at] = light * shadow(x, y);
    }
  }
  const blurred = plan.blur > 0 ? blur({ ...page, pixels: scan }, plan.blur) : scan;
  const noise = normalNoise(random);
  return {
    width: page.width,
    height: page.height,
    pixels: blurred.map((gray) => Math.min(255, Math.max(0, gray + plan.noise * noise()))),
  };
}

/** A homography as the rows of a 3 × 3 matrix. */
type Homography = readonly [number, number, number, number, number, number, number, number, number];

const project = ([a, b, c, d, e, f, g, h, i]: Homography, x: number, y: number): [x: number, y: number] => {
  const w = g * x + h * y + i;
  return [(a * x + b * y + c) / w, (d * x + e * y + f) / w];
};

/**
 * Distance of the camera from the page, as a multiple of the page's longer side. People hold a
 * phone about that far away. Chosen by hand, 2026-11.
 */
const cameraDistance = 1.4;

/** Returns the transform from the scan to the page. */
function backTransform({ width, height }: GrayImage, { skew, tilt = [0, 0], fill = 1 }: ScanPlan): Homography {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians(skew)), Math.sin(radians(skew))];
  const [cosX, sinX] = [Math.cos(radians(tilt[0])), Math.sin(radians(tilt[0]))];
  const [cosY, sinY] = [Math.cos(radians(tilt[1])), Math.sin(radians(tilt[1]))];
  const distance = cameraDistance * Math.max(width, height);
  const [midX, midY] = [width / 2, height / 2];
  // A point (x, y, 0), measured from the centre of the page, is rotated in the plane of the page,
  // then about the vertical axis, then about the horizontal axis. The camera sees
  // (X, Y) · distance / (distance + Z).
  const forward: Homography = [
    ...[cosX * cos, -cosX * sin, 0],
    ...[sinY * sinX * cos + cosY * sin, -sinY * sinX * sin + cosY * cos, 0],
    ...[
      (cosY * sinX * cos - sinY * sin) / (distance * fill),
      (-cosY * sinX * sin - sinY * cos) / (distance * fill),
      1 / fill,
    ],
  ] as unknown as Homography;
  const centred: Homography = [1, 0, -midX, 0, 1, -midY, 0, 0, 1];
  const placed: Homography = [1, 0, midX, 0, 1, midY, 0, 0, 1];
  return inverse(product(placed, product(forward, centred)));
}

const product = (a: Homography, b: Homography): Homography =>
  Array.from({ length: 9 }, (_, at) => {
    const [row, column] = [Math.trunc(at / 3) * 3, at % 3];
    return (
      (a[row] ?? 0) * (b[column] ?? 0) +
      (a[row + 1] ?? 0) * (b[column + 3] ?? 0) +
      (a[row + 2] ?? 0) * (b[column + 6] ?? 0)
    );
  }) as unknown as Homography;

const inverse = ([a, b, c, d, e, f, g, h, i]: Homography): Homography =>
  [
    ...[e * i - f * h, c * h - b * i, b * f - c * e],
    ...[f * g - d * i, a * i - c * g, c * d - a * f],
    ...[d * h - e * g, b * g - a * h, a * e - b * d],
  ] as unknown as Homography;

function grayAt({ width, height, pixels }: GrayImage, x: number, y: number): number {
  if (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5) return -1;
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  const [right, below] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const [partX, partY] = [Math.max(0, x - left), Math.max(0, y - top)];
  const pixel = (column: number, row: number): number => pixels[row * width + column] ?? 0;
  const upper = pixel(left, top) * (1 - partX) + pixel(right, top) * partX;
  const lower = pixel(left, below) * (1 - partX) + pixel(right, below) * partX;
  return upper + (lower - upper) * partY;
}

/**
 * Returns a function that computes the brightness of a point, as a share (0–1) of the full
 * brightness. A soft shadow falls from one corner.
 */
function shadowOf({ width, height }: GrayImage, { shade = 1 }: ScanPlan, random: () => number) {
  const [cornerX, cornerY] = [random() < 0.5 ? 0 : width, random() < 0.5 ? 0 : height];
  const reach = (0.6 + 0.5 * random()) * Math.hypot(width, height);
  return (x: number, y: number): number => {
    const far = Math.min(1, Math.hypot(x - cornerX, y - cornerY) / reach);
    return shade + (1 - shade) * far * far * (3 - 2 * far);
  };
}

/** Blurs with a Gaussian kernel, first horizontally and then vertically. */
function blur({ width, height, pixels }: GrayImage, deviation: number): Uint8Array {
  const reach = Math.ceil(2.5 * deviation);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * deviation ** 2)),
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  const pass = (source: Uint8Array, step: number, length: number, starts: number, stride: number): Uint8Array => {
    const result = new Uint8Array(source.length);
    for (let line = 0; line < starts; line++) {
      for (let at = 0; at < length; at++) {
        let value = 0;
        for (let tap = -reach; tap <= reach; tap++) {
          const from = Math.min(length - 1, Math.max(0, at + tap));
          value += (source[line * stride + from * step] ?? 0) * (weights[tap + reach] ?? 0);
        }
        result[line * stride + at * step] = value / sum + 0.5;
      }
    }
    return result;
  };
  return pass(pass(pixels, 1, width, height, width), width, height, width, 1);
}

/** Returns a generator of normally distributed numbers with the standard deviation 1 (Box–Muller). */
function normalNoise(random: () => number): () => number {
  let next: number | undefined;
  return () => {
    if (next !== undefined) {
      const value = next;
      next = undefined;
      return value;
    }
    const length = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    next = length * Math.sin(angle);
    return length * Math.cos(angle);
  };
}
