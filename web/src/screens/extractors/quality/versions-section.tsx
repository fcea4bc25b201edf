/** Lists the versions of an extractor's fields and settings. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { AgentVersionSummary } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis, PencilLine, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useErrorWords } from "../../../app/error-words.tsx";
import { useIsAdministrator, useSession } from "../../../app/session.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { useFormats } from "../../../ui/formats.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Badge, Failure, Loading } from "../../../ui/page.tsx";
import { Section } from "../../../ui/section.tsx";
import { Cell, HeadCell, Table } from "../../../ui/table.tsx";
import { membersQuery, versionsQuery } from "./quality.queries.ts";
import { CompareDialog, NameVersionDialog, RestoreDialog } from "./version-dialogs.tsx";

const shownAtFirst = 10;

type Opened = { dialog: "compare" | "name" | "restore"; version: AgentVersionSummary };

export function VersionsSection({ reference }: { reference: string }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { data: versions, error, refetch } = useQuery(versionsQuery(reference));
  const [isWhole, setWhole] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const current = versions?.find(({ is_current }) => is_current);
  const shown = isWhole ? versions : versions?.slice(0, shownAtFirst);
  const close = () => setOpened(undefined);
  const dialogProps = opened && { reference, version: opened.version, onClose: close };
  return (
    <Section
      title={t`Versions`}
      description={t`Each change of the fields or settings makes a version. An earlier one can be restored.`}
    >
      {shown === undefined || versions === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <Failure message={wordsOf(error)} onRetry={() => refetch()} />
        )
      ) : (
        <>
          <Table caption={t`Versions`}>
            <thead>
              <tr>
                <HeadCell>{t`Version`}</HeadCell>
                <HeadCell>{t`Time`}</HeadCell>
                <HeadCell>{t`By`}</HeadCell>
                <HeadCell>
                  <span className="sr-only">{t`Actions`}</span>
                </HeadCell>
              </tr>
            </thead>
            <tbody>
              {shown.map((version) => (
                <VersionRow
                  key={version.number}
                  version={version}
                  onOpen={(dialog) => setOpened({ dialog, version })}
                />
              ))}
            </tbody>
          </Table>
          {shown.length < versions.length && (
            <Button className="mt-4" onClick={() => setWhole(true)}>
              <Trans>Show all {versions.length} versions</Trans>
            </Button>
          )}
        </>
      )}
      {dialogProps && opened.dialog === "compare" && current !== undefined && (
        <CompareDialog
          {...dialogProps}
          current={current.number}
          onRestore={() => setOpened({ dialog: "restore", version: opened.version })}
        />
      )}
      {dialogProps && opened.dialog === "name" && <NameVersionDialog {...dialogProps} />}
      {dialogProps && opened.dialog === "restore" && <RestoreDialog {...dialogProps} />}
    </Section>
  );
}

interface VersionRowProps {
  version: AgentVersionSummary;
  onOpen: (dialog: Opened["dialog"]) => void;
}

function VersionRow({ version, onOpen }: VersionRowProps) {
  const { t } = useLingui();
  const { dateTime } = useFormats();
  const isAdministrator = useIsAdministrator();
  const { number, name, created_at, restored_from: origin, is_current: isCurrent } = version;
  return (
    <tr className="align-top">
      <Cell className="min-w-48">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{t`Version ${number}`}</span>
          {isCurrent && <Badge tone="accent">{t`Current`}</Badge>}
        </span>
        {name !== null && <span className="block break-words">{name}</span>}
        {origin !== null && (
          <span className="block text-[0.87rem] text-muted">{t`Restored from version ${origin}`}</span>
        )}
      </Cell>
      <Cell className="whitespace-nowrap">
        <time dateTime={created_at}>{dateTime(created_at)}</time>
      </Cell>
      <Cell className="min-w-32 break-words">
        <Author id={version.created_by} />
      </Cell>
      <Cell>
        <span className="-my-2 flex items-center justify-end gap-1">
          {!isCurrent && (
            <Button
              small
              aria-label={t`Compare version ${number} with the current one`}
              onClick={() => onOpen("compare")}
            >
              <Trans>Compare</Trans>
            </Button>
          )}
          {isAdministrator && (
            <Menu
              trigger={
                <IconButton label={t`Actions for version ${number}`}>
                  <Ellipsis size={18} aria-hidden />
                </IconButton>
              }
            >
              <MenuItem onClick={() => onOpen("name")}>
                <PencilLine size={16} aria-hidden />
                <Trans>Name…</Trans>
              </MenuItem>
              {!isCurrent && (
                <MenuItem onClick={() => onOpen("restore")}>
                  <RotateCcw size={16} aria-hidden />
                  <Trans>Restore…</Trans>
                </MenuItem>
              )}
            </Menu>
          )}
        </span>
      </Cell>
    </tr>
  );
}

/**
 * Shows who created a version. Other members are shown by name only to administrators, because only
 * administrators may read the names of members.
 */
function Author({ id }: { id: string | null }) {
  const { t } = useLingui();
  const { user } = useSession();
  const isAdministrator = useIsAdministrator();
  const { data: members, isLoading } = useQuery({ ...membersQuery, enabled: isAdministrator });
  if (id === null) return <span className="text-muted">{t`Unknown`}</span>;
  if (id === user.id) return t`You`;
  if (isLoading) return null;
  return members?.find(({ user_id }) => user_id === id)?.name ?? t`Another member`;
}
