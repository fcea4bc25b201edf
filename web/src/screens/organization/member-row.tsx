/** A member in the list: role, groups, and the actions for administrators. */
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { type Group, type Member, SheafError } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MoreHorizontal, UserCheck, UserMinus, UserX } from "lucide-react";
import { useRef, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { sessionQuery } from "../../app/queries.ts";
import { useSession } from "../../app/session.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../../ui/dialog.tsx";
import { inputClasses } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Badge } from "../../ui/page.tsx";
import { Cell } from "../../ui/table.tsx";
import { useHeadingFocus } from "./heading-focus.ts";
import { roleNames, roles } from "./member-words.ts";
import { groupsQuery, membersQuery } from "./organization.queries.ts";

const lastAdministrator = msg`The last active administrator must stay an administrator, and so must the one who can sign in if the provider fails. Choose someone else first.`;

/**
 * Returns a function that translates errors. For a member, the code `conflict` has two causes: the
 * member is the last administrator, or the administrator who can sign in if the identity provider
 * fails.
 */
function useMemberErrorWords(): (error: unknown) => string {
  const { i18n } = useLingui();
  const wordsOf = useErrorWords();
  return (error) =>
    error instanceof SheafError && error.code === "conflict" ? i18n._(lastAdministrator) : wordsOf(error);
}

interface MemberRowProps {
  member: Member;
  /** Groups of the member; undefined until they are loaded. */
  groups: readonly Group[] | undefined;
}

export function MemberRow({ member, groups }: MemberRowProps) {
  const { t, i18n } = useLingui();
  const { date } = useFormats();
  const { user } = useSession();
  const queries = useQueryClient();
  const wordsOf = useMemberErrorWords();
  const [isRemoving, setRemoving] = useState(false);
  const [isDemotingOneself, setDemotingOneself] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  const heading = useHeadingFocus<HTMLTableRowElement>();
  const isOneself = member.email.toLowerCase() === user.email.toLowerCase();
  const { name } = member;

  const change = useMutation({
    mutationFn: (changes: Partial<Pick<Member, "role" | "status">>) => sheaf.updateMember(member.id, changes),
    onSuccess: async ({ data }) => {
      queries.setQueryData(membersQuery.queryKey, (all) => all?.map((each) => (each.id === data.id ? data : each)));
      notify(t`The member ${name} was changed.`);
      // If the user has changed their own role, loads the session again, because the role decides
      // what is shown.
      if (isOneself) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    onError: (error) => notify(wordsOf(error), "error"),
    // Reloads the list without waiting for it. If the service refused the new role, the list shows
    // the previous role again.
    onSettled: () => {
      setDemotingOneself(false);
      void queries.invalidateQueries({ queryKey: membersQuery.queryKey });
    },
  });
  const remove = useMutation({
    mutationFn: () => sheaf.deleteMember(member.id),
    onSuccess: () => notify(t`${name} was removed.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: async () => {
      setRemoving(false);
      const focusHeading = heading.keep();
      await Promise.all([
        queries.invalidateQueries({ queryKey: membersQuery.queryKey }),
        queries.invalidateQueries({ queryKey: groupsQuery.queryKey }),
      ]);
      focusHeading();
    },
  });
  const shownRole = change.isPending ? (change.variables.role ?? member.role) : member.role;

  return (
    <tr ref={heading.ref}>
      <Cell className="min-w-52">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          {isOneself && <Badge tone="accent">{t`You`}</Badge>}
          {member.status === "disabled" && <Badge tone="warning">{t`Disabled`}</Badge>}
        </div>
        <span className="text-[0.87rem] break-all text-muted">{member.email}</span>
      </Cell>
      <Cell>
        <select
          aria-label={t`Role of ${name}`}
          className={`${inputClasses} min-w-36 py-1.5`}
          value={shownRole}
          disabled={change.isPending}
          onChange={({ target }) => {
            const role = target.value as Member["role"];
            if (isOneself && role !== "administrator") setDemotingOneself(true);
            else change.mutate({ role });
          }}
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {i18n._(roleNames[role])}
            </option>
          ))}
        </select>
      </Cell>
      <Cell>
        <div className="flex flex-wrap gap-1">
          {groups?.map((group) => (
            <Link key={group.id} to="/organization/groups" search={{ group: group.id }} className="hover:underline">
              <Badge>{group.name}</Badge>
            </Link>
          ))}
          {groups?.length === 0 && <span className="text-muted">{t`None`}</span>}
        </div>
      </Cell>
      <Cell className="whitespace-nowrap">{date(member.created_at)}</Cell>
      <Cell className="text-right">
        {!isOneself && (
          <Menu
            trigger={
              <IconButton ref={more} label={t`More actions for ${name}`}>
                <MoreHorizontal size={18} aria-hidden />
              </IconButton>
            }
          >
            {member.status === "active" ? (
              <MenuItem onClick={() => change.mutate({ status: "disabled" })}>
                <UserX size={16} aria-hidden />
                {t`Disable`}
              </MenuItem>
            ) : (
              <MenuItem onClick={() => change.mutate({ status: "active" })}>
                <UserCheck size={16} aria-hidden />
                {t`Enable`}
              </MenuItem>
            )}
            <MenuItem danger onClick={() => setRemoving(true)}>
              <UserMinus size={16} aria-hidden />
              {t`Remove from the organization`}
            </MenuItem>
          </Menu>
        )}
        <ConfirmDialog
          open={isRemoving}
          onOpenChange={setRemoving}
          title={t`Remove ${name}?`}
          description={t`${name} loses access to this organization at once, and the credentials of this member stop working. Documents and extractors stay.`}
          action={t`Remove`}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
        <Dialog
          open={isDemotingOneself}
          onOpenChange={setDemotingOneself}
          title={t`Give up your own administrator role?`}
          description={t`You will no longer be able to manage this organization. Only another administrator can give the role back to you.`}
        >
          <DialogActions>
            <Button onClick={() => setDemotingOneself(false)}>{t`Cancel`}</Button>
            <Button look="danger" busy={change.isPending} onClick={() => change.mutate({ role: "member" })}>
              {t`Become a member`}
            </Button>
          </DialogActions>
        </Dialog>
      </Cell>
    </tr>
  );
}
