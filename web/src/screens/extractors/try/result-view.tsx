/** Shows the values of a result with their confidence. Lists are tables. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { EvidenceRecord, ExtractedRecord, ExtractionParam } from "@sheaf/client";
import { Check, CircleHelp, TriangleAlert } from "lucide-react";
import { classes } from "../../../ui/classes.ts";
import { useFormats } from "../../../ui/formats.ts";
import { Cell, HeadCell, Table } from "../../../ui/table.tsx";
import { isEvidence, type Result, type SelectedValue, step, sureFrom, type Value } from "./result.ts";
import { useValueWords } from "./use-value-words.ts";

interface ResultViewProps {
  result: Result;
  selected: string | undefined;
  onSelect: (value: SelectedValue) => void;
}

export function ResultView({ result, selected, onSelect }: ResultViewProps) {
  const { t } = useLingui();
  if (result.data.length === 0)
    return (
      <p className="text-muted">
        <Trans>No values could be read from this file.</Trans>
      </p>
    );
  return result.data.map((record, index) => {
    const number = index + 1;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: records have no identity besides their place
      <section key={index} aria-label={result.data.length > 1 ? t`Record ${number}` : t`Values`}>
        {result.data.length > 1 && (
          <h3 className="mt-6 mb-2 font-semibold">
            <Trans>Record {number}</Trans>
          </h3>
        )}
        <RecordView
          path={step(index)}
          fields={result.fields}
          record={record}
          evidence={result.evidence[index]}
          selected={selected}
          onSelect={onSelect}
        />
      </section>
    );
  });
}

interface RecordProps extends Omit<ResultViewProps, "result"> {
  path: string;
  fields: readonly ExtractionParam[];
  record: ExtractedRecord;
  evidence: EvidenceRecord | undefined;
}

function RecordView({ path, fields, record, evidence, ...rest }: RecordProps) {
  const single = fields.filter(({ format }) => format !== "list");
  const lists = fields.filter(({ format }) => format === "list");
  return (
    <div className="flex flex-col gap-6">
      {single.length > 0 && (
        <dl className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
          {single.map(({ name }) => (
            <div key={name} className="grid items-baseline gap-x-4 px-4 py-1.5 sm:grid-cols-[minmax(8rem,14rem)_1fr]">
              <dt className="min-w-0 font-mono text-[0.85rem] break-words text-muted">{name}</dt>
              <dd className="min-w-0">
                <ValueButton
                  label={name}
                  path={path + step(name)}
                  value={record[name] ?? null}
                  evidence={evidence?.[name]}
                  {...rest}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {lists.map((field) => (
        <ListView
          key={field.name}
          path={path + step(field.name)}
          field={field}
          rows={record[field.name]}
          evidence={evidence?.[field.name]}
          {...rest}
        />
      ))}
    </div>
  );
}

interface ListProps extends Omit<ResultViewProps, "result"> {
  path: string;
  field: ExtractionParam;
  rows: Value | undefined;
  evidence: EvidenceRecord[string] | undefined;
}

function ListView({ path, field, rows, evidence, ...rest }: ListProps) {
  const { t } = useLingui();
  const { name } = field;
  const records = Array.isArray(rows) ? rows : [];
  const evidences = Array.isArray(evidence) ? evidence : [];
  const columns = field.items ?? [];
  const count = records.length;
  return (
    <div>
      <h3 className="mb-2 flex items-baseline gap-3">
        <span className="font-mono text-[0.9rem] font-medium">{name}</span>
        <span className="text-[0.85rem] text-muted">{t`${plural(count, { one: "# row", other: "# rows" })}`}</span>
      </h3>
      {records.length > 0 && (
        <Table caption={name}>
          <thead>
            <tr>
              <HeadCell className="w-10 text-right">
                <span className="sr-only">
                  <Trans>Row</Trans>
                </span>
              </HeadCell>
              {columns.map((column) => (
                <HeadCell
                  key={column.name}
                  className={classes("font-mono", column.format === "number" && "text-right")}
                >
                  {column.name}
                </HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((record, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity besides their place
              <tr key={index}>
                <Cell className="text-right text-[0.83rem] text-muted">{index + 1}</Cell>
                {columns.map((column) => {
                  const cellPath = `${path}${step(index)}${step(column.name)}`;
                  const found = evidences[index]?.[column.name];
                  return (
                    <Cell key={column.name} className={classes("py-1", column.format === "number" && "text-right")}>
                      {column.format === "list" ? (
                        <ListView
                          path={cellPath}
                          field={column}
                          rows={record[column.name]}
                          evidence={found}
                          {...rest}
                        />
                      ) : (
                        <ValueButton
                          compact
                          label={column.name}
                          path={cellPath}
                          value={record[column.name] ?? null}
                          evidence={found}
                          {...rest}
                        />
                      )}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </div>
  );
}

interface ValueProps extends Omit<ResultViewProps, "result"> {
  label: string;
  path: string;
  value: Value;
  evidence: EvidenceRecord[string] | undefined;
  /**
   * True if the value is in a table cell. In that case, its confidence is shown only if it is low.
   */
  compact?: boolean;
}

function ValueButton({ label, path, value, evidence, compact = false, selected, onSelect }: ValueProps) {
  const wordsOf = useValueWords();
  const found = isEvidence(evidence) ? evidence : undefined;
  const words = wordsOf(value);
  if (value === null) return <span className="inline-block px-2 py-1 text-muted">{compact ? "–" : words}</span>;
  return (
    <button
      type="button"
      aria-pressed={selected === path}
      onClick={() => onSelect({ path, label, value, evidence: found })}
      className={classes(
        "inline-flex max-w-full items-baseline gap-2 rounded-md px-2 py-1 text-left hover:bg-sunken",
        selected === path && "bg-accent-soft",
      )}
    >
      <span className="min-w-0 break-words whitespace-pre-wrap">{words}</span>
      <Confidence confidence={found?.confidence} compact={compact} />
    </button>
  );
}

function Confidence({ confidence, compact }: { confidence: number | undefined; compact: boolean }) {
  const { t } = useLingui();
  const formats = useFormats();
  const share = confidence === undefined ? undefined : formats.percent(confidence);
  if (confidence === undefined || share === undefined)
    return (
      <span className="inline-flex shrink-0 self-center text-warning" title={t`not found in the document`}>
        <CircleHelp size={14} aria-hidden />
        <span className="sr-only">
          <Trans>not found in the document</Trans>
        </span>
      </span>
    );
  const isSure = confidence >= sureFrom;
  if (compact && isSure) return null;
  return (
    <span
      className={classes(
        "inline-flex shrink-0 items-center gap-1 self-center text-[0.8rem]",
        isSure ? "text-success" : "text-warning",
      )}
      title={isSure ? t`${share} sure` : t`${share} sure: please check`}
    >
      {isSure ? <Check size={14} aria-hidden /> : <TriangleAlert size={14} aria-hidden />}
      <span className={compact ? "sr-only" : undefined}>{share}</span>
      {!isSure && (
        <span className="sr-only">
          <Trans>please check</Trans>
        </span>
      )}
    </span>
  );
}
