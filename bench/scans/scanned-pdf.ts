/** Writes a PDF that consists of JPEG images, one on each page, as scanners do. */

export interface ScannedPage {
  jpeg: Uint8Array;
  /** Size of the image in pixels. */
  width: number;
  height: number;
  /** Size of the page in points. */
  points: readonly [width: number, height: number];
}

export function scannedPdf(pages: readonly ScannedPage[]): Buffer {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (...chunks: (string | Uint8Array)[]): void => {
    for (const chunk of chunks) {
      const bytes = Buffer.from(chunk as Uint8Array);
      parts.push(bytes);
      length += bytes.length;
    }
  };
  const object = (number: number, ...content: (string | Uint8Array)[]): void => {
    offsets[number] = length;
    write(`${number} 0 obj\n`, ...content, "\nendobj\n");
  };
  // Objects 1 and 2 are the catalog and the list of pages. Each page has three objects after these.
  const first = (index: number): number => 3 + index * 3;
  write("%PDF-1.4\n");
  object(1, "<< /Type /Catalog /Pages 2 0 R >>");
  const kids = pages.map((_, index) => `${first(index)} 0 R`).join(" ");
  object(2, `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
  for (const [index, { jpeg, width, height, points }] of pages.entries()) {
    const [page, content, image] = [first(index), first(index) + 1, first(index) + 2];
    const draw = `${points[0]} 0 0 ${points[1]} 0 0 cm /Scan Do`;
    object(
      page,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${points.join(" ")}] /Contents ${content} 0 R`,
      ` /Resources << /XObject << /Scan ${image} 0 R >> >> >>`,
    );
    object(content, `<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`);
    object(
      image,
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`,
      ` /ColorSpace /DeviceGray /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
      jpeg,
      "\nendstream",
    );
  }
  const table = length;
  const entries = offsets.slice(1).map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  write(`xref\n0 ${offsets.length}\n0000000000 65535 f \n`, ...entries);
  write(`trailer\n<< /Size ${offsets.length} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return Buffer.concat(parts);
}
