/** Downloads the corrected data as it is on the screen. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { KeptExtraction } from "@sheaf/client";
import { Download } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { csvOf, listNames, tableOf } from "./export-data.ts";
import { dataOf, type RowNode } from "./review-model.ts";

export function ExportMenu({ extraction, records }: { extraction: KeptExtraction; records: readonly RowNode[] }) {
  const { t } = useLingui();
  const { id, filename, params } = extraction;
  const base = filename.replace(/\.[^.]*$/, "");
  const downloadCsv = (names: readonly string[]) => {
    const csv = csvOf(tableOf(params, dataOf(records), names));
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

/** Some systems refuse the characters that are replaced. */
const download = (name: string, extension: string, type: string, content: string) =>
  saveFile(new Blob([content], { type }), `${name.replace(/[\\/:*?"<>|]/g, "_")}.${extension}`);
