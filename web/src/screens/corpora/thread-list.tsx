/** The user's own conversations with an agent: open, rename, archive. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Thread } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Ellipsis, MessagesSquare, Pencil, SquarePen } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Failure, Loading } from "../../ui/page.tsx";
import { threadsQuery } from "./queries.ts";

interface ThreadListProps {
  agent: string;
  threadId: string | undefined;
  onNew: () => void;
  /** Renders the link to a thread. */
  renderLink: (threadId: string, className: string, title: ReactNode) => ReactNode;
}

export function ThreadList({ agent, threadId, onNew, renderLink }: ThreadListProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const [isOpen, setOpen] = useState(false);
  const [areArchived, setAreArchived] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a narrow screen, opening a thread closes the list
  useEffect(() => setOpen(false), [threadId]);
  const { data: threads, error, refetch } = useQuery(threadsQuery(agent, areArchived));
  return (
    <nav aria-label={t`Conversations`} className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto">
      <div className="flex flex-wrap gap-2">
        <Button small className="lg:w-full" onClick={onNew}>
          <SquarePen size={15} aria-hidden />
          <Trans>New conversation</Trans>
        </Button>
        <Button small className="lg:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <MessagesSquare size={15} aria-hidden />
          <Trans>Conversations</Trans>
        </Button>
      </div>
      <div className={classes(!isOpen && "hidden", "mt-3 lg:block")}>
        {error !== null && threads === undefined && <Failure message={wordsOf(error)} onRetry={() => refetch()} />}
        {threads === undefined && error === null && <Loading />}
        {threads?.length === 0 && (
          <p className="px-2 py-3 text-[0.9rem] text-muted">
            {areArchived ? (
              <Trans>No conversation is archived.</Trans>
            ) : (
              <Trans>Your conversations appear here. Nobody else sees them.</Trans>
            )}
          </p>
        )}
        <ul className="flex flex-col gap-0.5">
          {threads?.map((thread) => (
            <ThreadItem
              key={thread.thread_id}
              agent={agent}
              thread={thread}
              isShown={thread.thread_id === threadId}
              renderLink={renderLink}
            />
          ))}
        </ul>
        <Button small look="quiet" className="mt-2 w-full" onClick={() => setAreArchived(!areArchived)}>
          {areArchived ? <Trans>Show current conversations</Trans> : <Trans>Show archived</Trans>}
        </Button>
      </div>
    </nav>
  );
}

interface ThreadItemProps extends Pick<ThreadListProps, "agent" | "renderLink"> {
  thread: Thread;
  isShown: boolean;
}

function ThreadItem({ agent, thread, isShown, renderLink }: ThreadItemProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const [isRenaming, setRenaming] = useState(false);
  const { thread_id: id, title, archived_at } = thread;
  const isArchived = archived_at !== null;
  const archive = useMutation({
    mutationFn: () => sheaf.updateThread(agent, id, { archived: !isArchived }),
    onSuccess: () => notify(isArchived ? t`The conversation is back in the list.` : t`The conversation is archived.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => queries.invalidateQueries({ queryKey: ["threads", agent] }),
  });
  return (
    <li className={classes("flex items-center rounded-md hover:bg-sunken", isShown && "bg-accent-soft")}>
      {renderLink(id, "min-w-0 grow truncate px-2 py-1.5 text-[0.92rem]", title)}
      <Menu
        trigger={
          <IconButton label={t`More about ${title}`} className="size-8">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={() => setRenaming(true)}>
          <Pencil size={16} aria-hidden />
          <Trans>Rename</Trans>
        </MenuItem>
        <MenuItem onClick={() => archive.mutate()}>
          {isArchived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
          {isArchived ? <Trans>Bring back</Trans> : <Trans>Archive</Trans>}
        </MenuItem>
      </Menu>
      {isRenaming && <RenameDialog agent={agent} thread={thread} onClose={() => setRenaming(false)} />}
    </li>
  );
}

function RenameDialog({ agent, thread, onClose }: { agent: string; thread: Thread; onClose: () => void }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const [title, setTitle] = useState(thread.title);
  const rename = useMutation({
    mutationFn: () => sheaf.updateThread(agent, thread.thread_id, { title: title.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["threads", agent] });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={t`Rename conversation`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <Field label={t`Title`}>
          <Input required maxLength={200} value={title} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        {rename.error !== null && <Failure message={wordsOf(rename.error)} />}
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" busy={rename.isPending} disabled={title.trim() === ""}>
            <Trans>Rename</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
