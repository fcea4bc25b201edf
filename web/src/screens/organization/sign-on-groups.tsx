/** Edits the mapping from values of the groups claim to groups of the organization. */
import { useLingui } from "@lingui/react/macro";
import type { SignOnGroup } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { inputClasses } from "../../ui/field.tsx";
import { groupsQuery } from "./organization.queries.ts";

interface SignOnGroupsProps {
  groups: readonly SignOnGroup[];
  onChange: (groups: readonly SignOnGroup[]) => void;
}

export function SignOnGroups({ groups, onChange }: SignOnGroupsProps) {
  const { t } = useLingui();
  const own = useQuery(groupsQuery).data ?? [];
  const [value, setValue] = useState("");
  const [group, setGroup] = useState("");
  const isComplete = value.trim() !== "" && group !== "";
  return (
    <fieldset>
      <legend className="mb-1 text-[0.9rem] font-medium">{t`Groups`}</legend>
      <p className="mb-2 text-[0.85rem] text-muted">
        {t`At sign-in, a member joins the groups of these values and leaves those whose value is missing. Other groups do not change.`}
      </p>
      {groups.length > 0 && (
        <ul className="mb-2 divide-y divide-line rounded-md border border-line">
          {groups.map((each, index) => (
            <li key={`${each.value}\n${each.group}`} className="flex items-center justify-between gap-3 px-3 py-1">
              <span className="min-w-0 break-all">
                <code className="font-mono text-[0.87rem]">{each.value}</code> → {each.group}
              </span>
              <IconButton
                label={t`Remove ${each.value}`}
                onClick={() => onChange(groups.filter((_, other) => other !== index))}
              >
                <X size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <input
          aria-label={t`Value of the claim`}
          placeholder={t`Value of the claim`}
          className={`${inputClasses} min-w-40 flex-1`}
          maxLength={500}
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
        <select
          aria-label={t`Group`}
          className={`${inputClasses} min-w-40 flex-1`}
          value={group}
          onChange={({ target }) => setGroup(target.value)}
        >
          <option value="">{t`Choose a group`}</option>
          {own.map(({ id, name }) => (
            <option key={id}>{name}</option>
          ))}
        </select>
        <Button
          disabled={!isComplete}
          onClick={() => {
            onChange([
              ...groups.filter((each) => each.value !== value.trim() || each.group !== group),
              { value: value.trim(), group },
            ]);
            setValue("");
            setGroup("");
          }}
        >
          <Plus size={16} aria-hidden />
          {t`Add`}
        </Button>
      </div>
    </fieldset>
  );
}
