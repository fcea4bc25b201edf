/**
 * Draws annotations into the page, so that they are read like other text. Annotations contain the
 * values of form fields, and text that was added later.
 */
import type { Pdfium } from "./pdfium.ts";

/** Types of annotations that contain text. */
const withText = { freeText: 3, stamp: 13, widget: 20 } as const;
const kinds: readonly number[] = Object.values(withText);

/**
 * Maximum number of annotations per page. A page with more is an attack. Chosen by hand, 2026-11.
 */
const maxAnnotations = 5000;

/**
 * Returns the page with its annotations drawn into it. The file is not changed. If a new page is
 * returned, `page` is closed. Before that, appearances are generated for annotations with text that
 * have none, such as fields whose value the file leaves to the viewer to draw.
 */
export function withAnnotations(pdfium: Pdfium, document: number, index: number, page: number): number {
  const { call } = pdfium;
  const count = call.FPDFPage_GetAnnotCount(page);
  if (count <= 0 || count > maxAnnotations || !drawMissing(pdfium, page, count)) return page;
  if (call.FPDFPage_Flatten(page, normalDisplay) !== flattened) return page;
  call.FPDF_ClosePage(page);
  return call.FPDF_LoadPage(document, index);
}

const normalDisplay = 0;
const flattened = 1;

/**
 * Generates appearances for annotations with text that have none. Returns true if there are
 * annotations with text.
 */
function drawMissing(pdfium: Pdfium, page: number, count: number): boolean {
  const { call } = pdfium;
  let found = false;
  for (let index = 0; index < count; index++) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const kind = call.FPDFAnnot_GetSubtype(annotation);
    if (kinds.includes(kind)) {
      found = true;
      if (call.EPDFAnnot_HasAppearanceStream(annotation, normalDisplay) === 0) {
        if (kind === withText.widget) call.EPDFAnnot_GenerateFormFieldAP(annotation);
        else call.EPDFAnnot_GenerateAppearance(annotation);
      }
    }
    call.FPDFPage_CloseAnnot(annotation);
  }
  return found;
}
