/**
 * The fixed description of the samples that new users get. It identifies samples in every language
 * of the interface.
 */
import { useLingui } from "@lingui/react/macro";

export const sampleDescription = "Sample of Sheaf: can be removed on the start page";

/**
 * Returns a function that translates the description of a sample, and returns any other description
 * unchanged.
 */
export function useDescriptionWords(): (description: string | null) => string | undefined {
  const { t } = useLingui();
  return (description) =>
    description === sampleDescription
      ? t`Sample of Sheaf: can be removed on the start page`
      : (description ?? undefined);
}
