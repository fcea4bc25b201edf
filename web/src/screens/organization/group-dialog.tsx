/** Creates a group, or changes its name and members. */
import { useLingui } from "@lingui/react/macro";
import { type Group, type Member, SheafError } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Input, inputClasses } from "../../ui/field.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Failure } from "../../ui/page.tsx";
import { groupsQuery } from "./organization.queries.ts";

interface GroupDialogProps {
  /** The group to change; undefined to create a new group. */
  group: Group | undefined;
  members: readonly Member[];
  onClose: () => void;
}

export function GroupDialog({ group, members, onClose }: GroupDialogProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [name, setName] = useState(group?.name ?? "");
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set(group?.member_ids));
  const isChangedMembers =
    group === undefined || ids.size !== group.member_ids.length || group.member_ids.some((id) => !ids.has(id));
  const save = useMutation({
    mutationFn: () => {
      // The service replaces the whole list of members. Sends the list only if the user changed it,
      // so that changes by other administrators are not overwritten.
      const body = { name: name.trim(), ...(isChangedMembers && { member_ids: [...ids] }) };
      return group === undefined ? sheaf.createGroup(body) : sheaf.updateGroup(group.id, body);
    },
    onSuccess: () => {
      notify(group === undefined ? t`The group ${name} was created.` : t`The group ${name} was changed.`);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: groupsQuery.queryKey }),
  });
  const isTaken = save.error instanceof SheafError && save.error.code === "conflict";
  return (
    <Dialog open onOpenChange={onClose} title={group === undefined ? t`New group` : t`Edit the group`}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label={t`Name`} error={isTaken ? t`Another group has this name.` : undefined}>
          <Input
            required
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              if (save.isError) save.reset();
            }}
          />
        </Field>
        <MemberChoice members={members} chosen={ids} onChange={setIds} />
        {save.isError && !isTaken && <Failure message={wordsOf(save.error)} />}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {group === undefined ? t`Create` : t`Save`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface MemberChoiceProps {
  members: readonly Member[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

function MemberChoice({ members, chosen, onChange }: MemberChoiceProps) {
  const { t } = useLingui();
  const [find, setFind] = useState("");
  const part = find.trim().toLocaleLowerCase();
  const shown = members.filter(({ name, email }) => `${name}\n${email}`.toLocaleLowerCase().includes(part));
  const count = chosen.size;
  return (
    <fieldset>
      <legend className="mb-1 text-[0.9rem] font-medium">{t`Members`}</legend>
      {members.length > 8 && (
        <input
          type="search"
          aria-label={t`Find members`}
          placeholder={t`Find by name or email address`}
          value={find}
          onChange={({ target }) => setFind(target.value)}
          className={`${inputClasses} mb-2`}
        />
      )}
      <ul className="max-h-64 overflow-y-auto rounded-md border border-line">
        {shown.map(({ id, name, email }) => (
          <li key={id}>
            <label className="flex cursor-pointer items-center gap-3 px-3 py-2 hover:bg-sunken">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={chosen.has(id)}
                onChange={() => onChange(toggled(chosen, id))}
              />
              <span className="min-w-0">
                <span className="block">{name}</span>
                <span className="block text-[0.85rem] break-all text-muted">{email}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <p role="status" className="mt-1 text-[0.85rem] text-muted">
        {shown.length === 0 ? t`No member has this name or email address.` : t`${count} chosen`}
      </p>
    </fieldset>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const others = [...ids].filter((each) => each !== id);
  return new Set(ids.has(id) ? others : [...others, id]);
}
