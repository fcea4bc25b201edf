/** Defines a document kind. */

export interface DocumentKind {
  /** Label of the class, in English, if a file has no given class for this kind. */
  label: string;
  /** Description of this class, one English sentence. */
  description: string;
  /**
   * Comma-separated names of the kind in all languages, as in titles of documents and in requests.
   */
  names: string;
  /** Comma-separated phrases that hardly occur in other document kinds. */
  strong?: string;
  /** Comma-separated phrases that occur more often than in other document kinds. */
  weak?: string;
  /** Label of the more general document kind. */
  broader?: string;
  /**
   * Comma-separated labels of document kinds whose titles this kind may also have. A till receipt,
   * for example, may have the title "tax invoice".
   */
  titled?: string;
  /**
   * True if other documents often refer to a document of this kind by number. For example, "order
   * no." is on every invoice.
   */
  referred?: true;
}
