/** The pages of the file, large, over the screen. */
import type { PageSource } from "../../document/page-source.ts";
import { PageView } from "../../document/page-view.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface SegmentPagesProps {
  source: PageSource;
  name: string;
  /** The page to begin with; undefined: nothing is shown. */
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

/** Always the same object for a page, because a new one scrolls there again. */
const focusOf = (page: number) => {
  const focus = focuses.get(page) ?? { page, boxes: [] };
  focuses.set(page, focus);
  return focus;
};
const focuses = new Map<number, { page: number; boxes: [] }>();
