/** Menu of an extractor, shown to administrators only. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { AgentSummary } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Copy, EllipsisVertical, Eye, PencilLine, Trash2 } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { useIsAdministrator } from "../../../app/session.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { notify } from "../../../ui/notifications.tsx";
import { configurationOf, extractorQuery, extractorsQuery } from "../extractors.queries.ts";
import { AccessDialog, DeleteDialog, RenameDialog } from "./extractor-dialogs.tsx";

export function ExtractorMenu({ extractor }: { extractor: AgentSummary }) {
  const { t } = useLingui();
  const isAdministrator = useIsAdministrator();
  const wordsOf = useErrorWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<"rename" | "access" | "delete">();
  const duplicate = useMutation({
    mutationFn: async () => {
      const original = (await sheaf.getAgent(extractor.reference)).data;
      const { name, description } = original;
      // The API accepts at most 200 characters.
      const copyName = [...t`Copy of ${name}`].slice(0, 200).join("");
      const configuration = configurationOf(original);
      return sheaf.createAgent({ name: copyName, description, type: "EXTRACTOR", configuration });
    },
    onSuccess: async ({ data }) => {
      queries.setQueryData(extractorQuery(data.reference).queryKey, data);
      void queries.invalidateQueries({ queryKey: extractorsQuery.queryKey });
      notify(t`“${data.name}” was created.`);
      await navigate({ to: "/extractors/$reference/fields", params: { reference: data.reference } });
    },
    onError: (error) => notify(wordsOf(error), "error"),
  });
  // Hidden from members, because the service lets only administrators change extractors.
  if (!isAdministrator) return null;
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t`More for “${extractor.name}”`}>
            <EllipsisVertical size={18} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={() => setDialog("rename")}>
          <PencilLine size={16} aria-hidden />
          <Trans>Name and description</Trans>
        </MenuItem>
        <MenuItem onClick={() => setDialog("access")}>
          <Eye size={16} aria-hidden />
          <Trans>Who sees it</Trans>
        </MenuItem>
        <MenuItem onClick={() => duplicate.mutate()} disabled={duplicate.isPending}>
          <Copy size={16} aria-hidden />
          <Trans>Duplicate</Trans>
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onClick={() => setDialog("delete")}>
          <Trash2 size={16} aria-hidden />
          <Trans>Delete</Trans>
        </MenuItem>
      </Menu>
      {dialog === "rename" && <RenameDialog extractor={extractor} onClose={close} />}
      {dialog === "access" && <AccessDialog extractor={extractor} onClose={close} />}
      {dialog === "delete" && <DeleteDialog extractor={extractor} onClose={close} />}
    </>
  );
}
