/** Translates errors about a file, with the details that the service gives. */
import { useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useErrorWords } from "../../app/error-words.tsx";
import { useFormats } from "../../ui/formats.ts";

export function useFileWords(): (error: unknown) => string {
  const { t, i18n } = useLingui();
  const wordsOf = useErrorWords();
  const formats = useFormats();
  const reasons: Record<string, string> = {
    encrypted: t`The file is protected by a password. Remove the protection and try again.`,
    corrupt: t`The file is damaged and cannot be read.`,
    empty: t`The file has no content that could be read.`,
    too_complex: t`The file is too large or too complex to be read.`,
    timeout: t`Reading the file took too long and was stopped. Try a smaller file.`,
    model: t`The language model could not process the file. Try again.`,
  };
  return (error) => {
    if (!(error instanceof SheafError)) return wordsOf(error);
    if (error.is("file_too_large")) {
      const limit = formats.bytes(error.detail.limit);
      return t`The file is too large: the maximum is ${limit}.`;
    }
    if (error.is("unsupported_file_type")) {
      const supported = new Intl.ListFormat(i18n.locale, { type: "conjunction" }).format(error.detail.supported);
      return t`Files of this type cannot be read. Supported types: ${supported}.`;
    }
    if (error.is("extraction_failed")) return reasons[error.detail?.reason] ?? wordsOf(error);
    return wordsOf(error);
  };
}
