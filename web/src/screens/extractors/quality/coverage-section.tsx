/** Shows, for each field, the confidence that its values need to be accepted without review. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Coverage, CoverageLevel } from "@sheaf/client";
import { useFormats } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import { Cell, HeadCell, Table } from "../../../ui/table.tsx";
import { shownPath } from "./field-path.ts";

export function CoverageSection({ coverage }: { coverage: Coverage }) {
  const { t } = useLingui();
  const { number, percent } = useFormats();
  const precisions = coverage.fields[0]?.levels.map(({ precision }) => precision) ?? [];
  return (
    <Section
      title={t`Confidence needed`}
      description={t`At or above this confidence, 95, 98 or 99% of the reviewed values of a field were correct. Such values need no review.`}
    >
      {coverage.fields.length === 0 ? (
        <p className="text-muted">
          <Trans>The reviewed documents have no values with a confidence.</Trans>
        </p>
      ) : (
        <Table caption={t`Confidence needed`}>
          <thead>
            <tr>
              <HeadCell>{t`Field`}</HeadCell>
              <HeadCell className="text-right">{t`Correct values`}</HeadCell>
              {precisions.map((precision) => (
                <HeadCell key={precision}>{t`${percent(precision)} correct`}</HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {coverage.fields.map(({ path, values, right, levels }) => (
              <tr key={path} className="align-top">
                <Cell className="min-w-40 break-words">{shownPath(path)}</Cell>
                <Cell className="text-right whitespace-nowrap tabular-nums">
                  {t`${number(right)} of ${number(values)}`}
                </Cell>
                {levels.map((level) => (
                  <Cell key={level.precision} className="min-w-36">
                    <Level level={level} values={values} />
                  </Cell>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}

function Level({ level, values }: { level: CoverageLevel; values: number }) {
  const { t } = useLingui();
  const { number, percent, finePercent } = useFormats();
  const { confidence, coverage, minimum_values: needed } = level;
  if (confidence === null)
    return (
      <span className="text-[0.87rem] text-muted">
        {values < needed ? t`Needs ${number(needed)} values` : t`Too many are wrong`}
      </span>
    );
  return (
    <>
      <span className="block tabular-nums">{t`at least ${finePercent(confidence)}`}</span>
      <span className="block text-[0.87rem] text-muted">{t`${percent(coverage)} of the values`}</span>
    </>
  );
}
