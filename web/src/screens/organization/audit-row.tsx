/** An entry of the audit log. */
import { useLingui } from "@lingui/react/macro";
import type { AuditEntry } from "@sheaf/client";
import { useFormats } from "../../ui/formats.ts";
import { Cell } from "../../ui/table.tsx";
import { auditActions } from "./audit-words.ts";

interface AuditRowProps {
  entry: AuditEntry;
  /** Names of members by id. Members who left are missing. */
  names: ReadonlyMap<string, string>;
}

export function AuditRow({ entry, names }: AuditRowProps) {
  const { t, i18n } = useLingui();
  const { dateTime } = useFormats();
  const words = auditActions[entry.action];
  const technical: [string, string | null][] = [
    [t`Id of the changed object`, entry.target],
    [t`Credential`, entry.actor.credential_id],
    [t`IP address`, entry.address],
    [t`Request id`, entry.request_id],
  ];
  const details = Object.entries(entry.detail);
  return (
    <tr className="align-top">
      <Cell className="whitespace-nowrap">
        <time dateTime={entry.created_at}>{dateTime(entry.created_at)}</time>
      </Cell>
      <Cell className="min-w-44">
        <span className="block font-medium">{words === undefined ? entry.action : i18n._(words)}</span>
        {words !== undefined && <code className="font-mono text-[0.8rem] text-muted">{entry.action}</code>}
      </Cell>
      <Cell className="min-w-60">
        <Actor entry={entry} />
      </Cell>
      <Cell className="w-1/2 min-w-72">
        {details.length > 0 && <Pairs pairs={details.map(([name, value]) => [name, textOf(value, names)])} />}
        <details className="text-[0.87rem]">
          <summary className="cursor-pointer text-muted hover:text-ink">{t`Technical details`}</summary>
          <Pairs pairs={technical.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))} />
        </details>
      </Cell>
    </tr>
  );
}

function Actor({ entry: { actor } }: { entry: AuditEntry }) {
  const { t } = useLingui();
  const { operator } = actor;
  if (operator?.startsWith("scim ")) return t`Identity provider (SCIM)`;
  if (actor.kind === "operator")
    return operator === null ? t`Operator of the service` : t`Operator of the service (${operator})`;
  return (
    <>
      <span className="block break-words">{actor.user_email ?? t`Deleted or unknown user`}</span>
      <span className="text-[0.85rem] text-muted">
        {actor.kind === "credential" ? t`by a program` : t`in the web application`}
      </span>
    </>
  );
}

const Pairs = ({ pairs }: { pairs: readonly (readonly [string, string])[] }) => (
  <dl className="text-[0.87rem]">
    {pairs.map(([name, value]) => (
      <div key={name} className="flex flex-wrap gap-x-2">
        <dt className="text-muted">{name}:</dt>
        <dd className="min-w-0 wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
);

/**
 * Converts a value of an entry to text. Replaces the id of a member by the member's name, if it is
 * known.
 */
function textOf(value: unknown, names: ReadonlyMap<string, string>): string {
  if (typeof value === "string") return names.get(value) ?? value;
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isList ? value.map((each) => names.get(each) ?? each).join(", ") : JSON.stringify(value);
}
