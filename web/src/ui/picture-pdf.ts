/** Writes a PDF in which each page is one JPEG picture. */

export interface PdfPicture {
  /** A JPEG file with three colour components. */
  jpeg: Uint8Array<ArrayBuffer>;
  /** Size of the picture in pixels. */
  width: number;
  height: number;
  /** Size of the page in points. */
  pageWidth: number;
  pageHeight: number;
}

/** Number of PDF objects per page: the page, its content and its picture. */
const objectsPerPage = 3;
/** Object number of the first page. Objects 1 and 2 are the catalog and the list of pages. */
const firstPage = 3;

export function picturePdf(pictures: readonly PdfPicture[]): Blob {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (part: string | Uint8Array<ArrayBuffer>) => {
    parts.push(part);
    length += part.length;
  };
  // All text is ASCII, so its length in characters is its length in bytes.
  const writeObject = (content: string, stream?: Uint8Array<ArrayBuffer> | string) => {
    offsets.push(length);
    write(`${offsets.length} 0 obj\n${content}\n`);
    if (stream !== undefined) {
      write("stream\n");
      write(stream);
      write("\nendstream\n");
    }
    write("endobj\n");
  };
  write("%PDF-1.4\n");
  writeObject("<< /Type /Catalog /Pages 2 0 R >>");
  const kids = pictures.map((_, index) => `${firstPage + objectsPerPage * index} 0 R`).join(" ");
  writeObject(`<< /Type /Pages /Count ${pictures.length} /Kids [${kids}] >>`);
  pictures.forEach(({ jpeg, width, height, pageWidth, pageHeight }, index) => {
    const page = firstPage + objectsPerPage * index;
    const box = `${pageWidth.toFixed(2)} ${pageHeight.toFixed(2)}`;
    writeObject(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${box}] /Contents ${page + 1} 0 R ` +
        `/Resources << /XObject << /P ${page + 2} 0 R >> >> >>`,
    );
    const content = `q ${pageWidth.toFixed(2)} 0 0 ${pageHeight.toFixed(2)} 0 0 cm /P Do Q`;
    writeObject(`<< /Length ${content.length} >>`, content);
    writeObject(
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB ` +
        `/BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`,
      jpeg,
    );
  });
  const start = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries}`);
  write(`trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
}
