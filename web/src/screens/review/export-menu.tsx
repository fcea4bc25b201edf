/** Downloads the corrected data as it is on the screen. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Download } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { csvOf, listNames, tableOf } from "./export-data.ts";
import type { KeptExtraction } from "./kept-extraction.ts";
import { dataOf, type RowNode } from "./review-model.ts";

export function ExportMenu({ extraction, records }: { extraction: KeptExtraction; records: readonly RowNode[] }) {
  const { t, i18n } = useLingui();
  const { id, filename, params } = extraction;
  const base = filename.replace(/\.[^.]*$/, "");
  const downloadCsv = (names: readonly string[]) => {
    // With a byte order mark, spreadsheets read it as UTF-8.
    const csv = `\uFEFF${csvOf(tableOf(params, dataOf(records), names), i18n.locale)}`;
    download([base, ...names].join("-"), "csv", "text/csv", csv);
  };
  return (
    <Menu
      trigger={
        <Button small aria-label={t`Export`}>
          <Download size={16} aria-hidden />
          <span className="max-xl:sr-only">
            <Trans>Export</Trans>
          </span>
        </Button>
      }
    >
      <MenuItem onClick={() => download(base, "json", "application/json", JSON.stringify(dataOf(records), null, 2))}>
        <Trans>Data as JSON</Trans>
      </MenuItem>
      {params.some(({ format }) => format !== "list") && (
        <MenuItem onClick={() => downloadCsv([])}>
          <Trans>Fields as CSV</Trans>
        </MenuItem>
      )}
      {listNames(params).map((names) => (
        <MenuItem key={names.join("/")} onClick={() => downloadCsv(names)}>
          {t`List “${names.join(" › ")}” as CSV`}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem render={<a href={`/v2/extractions/${encodeURIComponent(id)}/file`} download={filename} />}>
        <Trans>Original file</Trans>
      </MenuItem>
    </Menu>
  );
}

function download(name: string, extension: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name.replace(/[\\/:*?"<>|]/g, "_")}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
