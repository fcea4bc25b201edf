/** Defines a document kind. */

export interface DocumentKind {
  /** English label, used if none of the given classes corresponds to this document kind. */
  label: string;
  /** Description that is used together with `label`. One English sentence. */
  description: string;
  /**
   * Comma-separated names of the kind in all languages, as they occur in document titles and in
   * requests.
   */
  names: string;
  /** Comma-separated phrases that rarely occur in other document kinds. */
  strong?: string;
  /** Comma-separated phrases that occur more often in this document kind than in others. */
  weak?: string;
  /** Label of the more general document kind. */
  broader?: string;
  /**
   * Comma-separated labels of other document kinds whose titles a document of this kind may have. A
   * till receipt, for example, may have the title "tax invoice".
   */
  titled?: string;
  /**
   * True if other documents often refer to a document of this kind by number. For example, "order
   * no." is on every invoice.
   */
  referred?: true;
}
