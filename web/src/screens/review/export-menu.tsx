/** Downloads the data with its corrections, including unsaved ones. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { KeptExtraction } from "@sheaf/client";
import { Download } from "lucide-react";
import { useErrorWords } from "../../app/error-words.tsx";
import { extractionPages } from "../../document/page-sources.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { notify } from "../../ui/notifications.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { csvOf, listNames, sheetsOf, tableOf } from "./export-data.ts";
import { dataOf, type RowNode } from "./review-model.ts";
import { shownValue } from "./value-text.ts";

export function ExportMenu({ extraction, records }: { extraction: KeptExtraction; records: readonly RowNode[] }) {
  const { t, i18n } = useLingui();
  const errorWords = useErrorWords();
  const { id, filename, params } = extraction;
  const base = filename.replace(/\.[^.]*$/, "");
  const downloadCsv = (names: readonly string[]) => {
    const csv = csvOf(tableOf(params, dataOf(records), names));
    download([base, ...names].join("-"), "csv", "text/csv", csv);
  };
  const downloadWorkbook = async () => {
    const { workbookOf } = await import("../../ui/workbook.ts");
    saveFile(await workbookOf(sheetsOf(params, dataOf(records), t`Fields`)), fileName(base, "xlsx"));
  };
  const downloadEvidence = async () => {
    const { evidencePdf, markedValues } = await import("./evidence-pdf.ts");
    const values = markedValues(records, ({ value, param }) => shownValue(value, param.format, i18n.locale) ?? "–");
    if (values.length === 0) return notify(t`No value has a position in the document.`, "error");
    const heading = (page: number) => t`${filename}, page ${page}`;
    saveFile(await evidencePdf(extractionPages(extraction), values, heading), fileName(`${base}-evidence`, "pdf"));
  };
  const run = (work: () => Promise<void>) => {
    work().catch((error: unknown) => notify(errorWords(error), "error"));
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
      <MenuItem onClick={() => run(downloadWorkbook)}>
        <Trans>Data as Excel workbook</Trans>
      </MenuItem>
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
      <MenuItem onClick={() => run(downloadEvidence)}>
        <Trans>Evidence as PDF</Trans>
      </MenuItem>
      <MenuItem render={<a href={`/v2/extractions/${encodeURIComponent(id)}/file`} download={filename} />}>
        <Trans>Original file</Trans>
      </MenuItem>
    </Menu>
  );
}

/** Replaces characters that some operating systems do not allow in file names. */
const fileName = (name: string, extension: string) => `${name.replace(/[\\/:*?"<>|]/g, "_")}.${extension}`;

const download = (name: string, extension: string, type: string, content: string) =>
  saveFile(new Blob([content], { type }), fileName(name, extension));
