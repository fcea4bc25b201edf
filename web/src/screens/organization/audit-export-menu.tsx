/** Exports all pages of the filtered audit log to a file. */
import { useLingui } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { notify } from "../../ui/notifications.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { fetchAuditPage } from "./audit.queries.ts";
import { type AuditFormat, exportAudit } from "./audit-export.ts";
import type { AuditSearch } from "./organization-search.ts";

/** The maximum page size of the API, so that an export needs few requests. */
const exportedPerPage = 1_000;

export function AuditExport({ search }: { search: AuditSearch }) {
  const { t } = useLingui();
  const { number } = useFormats();
  const wordsOf = useErrorWords();
  const [count, setCount] = useState(0);
  const abort = useRef<AbortController>(undefined);
  // Cancels the export when the user leaves the screen.
  useEffect(() => () => abort.current?.abort(), []);
  const save = useMutation({
    mutationFn: async (format: AuditFormat) => {
      setCount(0);
      abort.current = new AbortController();
      const { signal } = abort.current;
      const page = (cursor: string | undefined) => fetchAuditPage({ search, limit: exportedPerPage, cursor, signal });
      const blob = await exportAudit(format, page, setCount);
      saveFile(blob, `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`);
    },
    onSuccess: () => notify(t`The audit log was exported.`),
    onError: (error) => {
      if (!abort.current?.signal.aborted) notify(wordsOf(error), "error");
    },
  });
  const exported = number(count);
  if (save.isPending)
    return (
      <>
        <p role="status" className="flex items-center gap-2 text-muted">
          <Spinner />
          {t`${exported} entries so far…`}
        </p>
        <Button onClick={() => abort.current?.abort()}>{t`Stop the export`}</Button>
      </>
    );
  return (
    <Menu
      trigger={
        <Button>
          <Download size={16} aria-hidden />
          {t`Export`}
        </Button>
      }
    >
      <MenuItem onClick={() => save.mutate("csv")}>{t`CSV, for spreadsheets`}</MenuItem>
      <MenuItem onClick={() => save.mutate("json")}>{t`JSON, for programs`}</MenuItem>
    </Menu>
  );
}
