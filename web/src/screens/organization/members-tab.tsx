/** Members and open invitations of the organization. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { inputClasses } from "../../ui/field.tsx";
import { Section } from "../../ui/section.tsx";
import { HeadCell, Table } from "../../ui/table.tsx";
import { InvitationsSection } from "./invitations-section.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { Loaded } from "./loaded.tsx";
import { MemberRow } from "./member-row.tsx";
import { groupsQuery, membersQuery } from "./organization.queries.ts";

const route = getRouteApi("/shell/organization/members");

export function MembersTab() {
  const { t } = useLingui();
  const { find = "", invite = false } = route.useSearch();
  const navigate = route.useNavigate();
  const members = useQuery(membersQuery);
  const groups = useQuery(groupsQuery);
  const setInvite = (isOpen: boolean) =>
    void navigate({ search: (search) => ({ ...search, invite: isOpen || undefined }), replace: true });
  return (
    <>
      <Section
        title={t`Members`}
        description={t`Administrators manage the organization. Members work with extractors, corpora and their own assistants.`}
        actions={
          <Button look="primary" onClick={() => setInvite(true)}>
            <UserPlus size={16} aria-hidden />
            <Trans>Invite</Trans>
          </Button>
        }
      >
        <Loaded query={members}>
          {(all) => {
            const found = all.filter(({ name, email }) => includesText(`${name}\n${email}`, find));
            return (
              <>
                {(all.length > 8 || find !== "") && (
                  <input
                    type="search"
                    aria-label={t`Find members`}
                    placeholder={t`Find by name or email address`}
                    value={find}
                    onChange={({ target }) =>
                      void navigate({
                        search: (search) => ({ ...search, find: target.value || undefined }),
                        replace: true,
                      })
                    }
                    className={`${inputClasses} mb-3 max-w-sm`}
                  />
                )}
                <p role="status" className={find === "" ? "sr-only" : "mb-2 text-[0.9rem] text-muted"}>
                  {find !== "" && found.length === 0
                    ? t`No member has this name or email address.`
                    : t`${found.length} of ${all.length} shown`}
                </p>
                {found.length > 0 && (
                  <Table caption={t`Members`}>
                    <thead>
                      <tr>
                        <HeadCell>{t`Name`}</HeadCell>
                        <HeadCell>{t`Role`}</HeadCell>
                        <HeadCell>{t`Groups`}</HeadCell>
                        <HeadCell>{t`Joined`}</HeadCell>
                        <HeadCell>
                          <span className="sr-only">{t`Actions`}</span>
                        </HeadCell>
                      </tr>
                    </thead>
                    <tbody>
                      {found.map((member) => (
                        <MemberRow
                          key={member.id}
                          member={member}
                          groups={groups.data?.filter((group) => group.member_ids.includes(member.id))}
                        />
                      ))}
                    </tbody>
                  </Table>
                )}
              </>
            );
          }}
        </Loaded>
      </Section>
      <InvitationsSection onInvite={() => setInvite(true)} />
      {invite && <InviteDialog onClose={() => setInvite(false)} />}
    </>
  );
}

const includesText = (text: string, part: string): boolean => folded(text).includes(folded(part.trim()));
/** Returns text in lower case and without accents, for comparisons. */
const folded = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLocaleLowerCase();
