/** Shows the pages of the file enlarged, in front of the screen. */
import type { PageSource } from "../../document/page-source.ts";
import { PageView } from "../../document/page-view.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface SegmentPagesProps {
  source: PageSource;
  name: string;
  /** The page to show first; undefined if nothing is shown. */
  page: number | undefined;
  onClose: () => void;
}

export const SegmentPages = ({ source, name, page, onClose }: SegmentPagesProps) => (
  <Dialog wide open={page !== undefined} onOpenChange={(isOpen) => !isOpen && onClose()} title={name}>
    {page !== undefined && (
      <PageView source={source} label={name} focus={focusOf(page)} className="h-[70dvh] overflow-hidden rounded-md" />
    )}
  </Dialog>
);

/**
 * Returns the same object each time for the same page, because a new object would scroll the view
 * again.
 */
const focusOf = (page: number) => {
  const focus = focuses.get(page) ?? { page, boxes: [] };
  focuses.set(page, focus);
  return focus;
};
const focuses = new Map<number, { page: number; boxes: [] }>();
