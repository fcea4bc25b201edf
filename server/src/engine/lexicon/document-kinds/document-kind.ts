/** What a kind of document is. */

export interface DocumentKind {
  /** In English: the label of a discovered class. */
  label: string;
  /** One sentence in English: the description of a discovered class. */
  description: string;
  /** What such papers are called, in their titles and by those who ask for them, parted by commas; all languages together. */
  names: string;
  /** Phrases that such papers hold and few others do. */
  strong?: string;
  /** Phrases that such papers hold more often than others. */
  weak?: string;
  /** The label of the kind that it is a special case of. */
  broader?: string;
  /** Labels, parted by commas, of kinds whose titles such papers bear too: a till receipt may call itself a tax invoice. */
  titled?: string;
  /** True where other papers speak of this one by its name and number: "order no." stands on every invoice. */
  referred?: true;
}
