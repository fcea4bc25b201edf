/** Defines a document kind. */

export interface DocumentKind {
  /** Label of a discovered class, in English. */
  label: string;
  /** Description of a discovered class, one English sentence. */
  description: string;
  /** Comma-separated names of the kind, as used in titles and requests, in all languages. */
  names: string;
  /** Comma-separated phrases that are rare in other document kinds. */
  strong?: string;
  /** Comma-separated phrases that are more frequent than in other document kinds. */
  weak?: string;
  /** Label of the more general document kind. */
  broader?: string;
  /**
   * Comma-separated labels of document kinds whose titles this kind may also have. A till receipt,
   * for example, may have the title "tax invoice".
   */
  titled?: string;
  /**
   * True if other documents refer to this one by name and number. For example, "order no." is on
   * every invoice.
   */
  referred?: true;
}
