/** How a picture is brought to give its words: which way up, how straight, how large. */
import type { PlacedImage } from "../image/gray-image.ts";
import type { DrawnWord } from "../pdf/words.ts";
import type { RecognitionEngine, Segmentation } from "./engine.ts";
import { drawnWords } from "./recognized-words.ts";

/** Longer than this for its width, a picture is a receipt or a strip. */
const columnRatio = 1.6;

export async function recognizeUpright(engine: RecognitionEngine, placed: PlacedImage): Promise<DrawnWord[]> {
  const { image, toPage } = placed;
  const segmentation: Segmentation = image.height > columnRatio * image.width ? "column" : "page";
  return drawnWords(await engine.recognize(image, segmentation), toPage);
}
