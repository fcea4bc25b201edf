/** Groups of the organization and their members. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Group, Member } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus, Users } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Empty, Failure } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { GroupDialog } from "./group-dialog.tsx";
import { useHeadingFocus } from "./heading-focus.ts";
import { Loaded } from "./loaded.tsx";
import { groupsQuery, membersQuery } from "./organization.queries.ts";

const route = getRouteApi("/shell/organization/groups");

export function GroupsTab() {
  const { t } = useLingui();
  const { group: open } = route.useSearch();
  const navigate = route.useNavigate();
  const groups = useQuery(groupsQuery);
  const members = useQuery(membersQuery);
  const create = (
    <Button look="primary" onClick={() => void navigate({ search: { group: "new" } })}>
      <Plus size={16} aria-hidden />
      <Trans>New group</Trans>
    </Button>
  );
  const opened = groups.data?.find(({ id }) => id === open);
  return (
    <Section
      title={t`Groups`}
      description={t`An extractor or a corpus can be visible to one group only. Administrators see everything.`}
      actions={groups.data !== undefined && groups.data.length > 0 && create}
    >
      <Loaded query={groups}>
        {(all) => (
          <>
            {open !== undefined && open !== "new" && opened === undefined && (
              <div className="mb-4">
                <Failure message={t`This group does not exist any more.`} />
              </div>
            )}
            {all.length === 0 ? (
              <Empty icon={<Users size={32} strokeWidth={1.5} />} title={t`No groups yet`} action={create}>
                <Trans>
                  Create a group, for example for a department, and share extractors and corpora with it alone.
                </Trans>
              </Empty>
            ) : (
              <Table caption={t`Groups`}>
                <thead>
                  <tr>
                    <HeadCell>{t`Name`}</HeadCell>
                    <HeadCell>{t`Members`}</HeadCell>
                    <HeadCell>
                      <span className="sr-only">{t`Actions`}</span>
                    </HeadCell>
                  </tr>
                </thead>
                <tbody>
                  {all.map((group) => (
                    <GroupRow key={group.id} group={group} members={members.data} />
                  ))}
                </tbody>
              </Table>
            )}
          </>
        )}
      </Loaded>
      {(open === "new" || opened !== undefined) && (
        <Loaded query={members}>
          {(all) => (
            <GroupDialog
              key={open}
              group={opened}
              members={all}
              onClose={() => void navigate({ search: {}, replace: true })}
            />
          )}
        </Loaded>
      )}
    </Section>
  );
}

/** Maximum number of members listed by name. For the rest, only their number is shown. */
const maxNames = 5;

function GroupRow({ group, members }: { group: Group; members: readonly Member[] | undefined }) {
  const { t } = useLingui();
  const heading = useHeadingFocus<HTMLTableRowElement>();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [isDeleting, setDeleting] = useState(false);
  const { name } = group;
  const remove = useMutation({
    mutationFn: () => sheaf.deleteGroup(group.id),
    onSuccess: () => notify(t`The group ${name} was deleted.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: async () => {
      setDeleting(false);
      const focusHeading = heading.keep();
      await queries.invalidateQueries({ queryKey: groupsQuery.queryKey });
      focusHeading();
    },
  });
  const names = members?.filter(({ id }) => group.member_ids.includes(id)).map((member) => member.name) ?? [];
  const listed = names.slice(0, maxNames).join(", ");
  const more = names.length - maxNames;
  return (
    <tr ref={heading.ref}>
      <Cell className="min-w-40 font-medium break-words">{name}</Cell>
      <Cell className="w-full min-w-52">
        {group.member_ids.length === 0 ? <span className="text-muted">{t`No members`}</span> : listed}
        {more > 0 && <span className="text-muted"> {t`and ${more} more`}</span>}
      </Cell>
      <Cell>
        <div className="flex justify-end gap-2">
          <Link
            to="/organization/groups"
            search={{ group: group.id }}
            aria-label={t`Edit: ${name}`}
            className={buttonClasses("secondary", true)}
          >
            {t`Edit`}
          </Link>
          <Button small look="danger" aria-label={t`Delete: ${name}`} onClick={() => setDeleting(true)}>
            {t`Delete`}
          </Button>
        </div>
        <ConfirmDialog
          open={isDeleting}
          onOpenChange={setDeleting}
          title={t`Delete the group ${name}?`}
          description={t`Its members stay in the organization. What was visible to this group alone will be visible to administrators only.`}
          action={t`Delete`}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </Cell>
    </tr>
  );
}
