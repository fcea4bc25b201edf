/** The webhook of one event: sets its URL, removes it, and shows its secret once. */
import { Trans, useLingui } from "@lingui/react/macro";
import { type EventName, SheafError, type Webhook } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { notify } from "../../ui/notifications.tsx";
import { Badge, Failure } from "../../ui/page.tsx";
import { webhooksQuery } from "./organization.queries.ts";
import { ShownOnce } from "./shown-once.tsx";
import { TestEventButton } from "./test-event-button.tsx";
import { eventWords } from "./webhook-words.ts";

interface WebhookCardProps {
  event: EventName;
  /** The webhook; undefined if no webhook is registered for the event. */
  webhook: Webhook | undefined;
}

export function WebhookCard({ event, webhook }: WebhookCardProps) {
  const { t, i18n } = useLingui();
  const { dateTime } = useFormats();
  const headingId = useId();
  const words = eventWords[event];
  return (
    <section aria-labelledby={headingId} className="rounded-xl border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 id={headingId} className="font-semibold">
          {i18n._(words.name)}
        </h3>
        {webhook === undefined ? <Badge>{t`Not set up`}</Badge> : <Badge tone="success">{t`Active`}</Badge>}
      </div>
      <code className="font-mono text-[0.8rem] break-all text-muted">{event}</code>
      <p className="mt-1 mb-4 max-w-2xl text-muted">{i18n._(words.description)}</p>
      <UrlForm key={webhook?.url} event={event} webhook={webhook} />
      {webhook !== undefined && (
        <p className="mt-3 text-[0.87rem] text-muted">
          <Trans>URL set on {dateTime(webhook.updated_at)}.</Trans>
        </p>
      )}
    </section>
  );
}

function UrlForm({ event, webhook }: WebhookCardProps) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [secret, setSecret] = useState<string>();
  const [isRemoving, setRemoving] = useState(false);
  const name = i18n._(eventWords[event].name);
  const refresh = () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  const save = useMutation({
    mutationFn: () => sheaf.putWebhook(event, { url: url.trim() }),
    onSuccess: async ({ data }) => {
      if ("secret" in data) setSecret(data.secret);
      else {
        notify(t`The URL was changed. The secret stays the same.`);
        await refresh();
      }
    },
  });
  const remove = useMutation({
    mutationFn: () => sheaf.deleteWebhook(event),
    onSuccess: () => notify(t`The webhook was removed.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => {
      setRemoving(false);
      return refresh();
    },
  });
  const isRefused = save.error instanceof SheafError && save.error.code === "invalid_request";
  return (
    <>
      <form
        className="flex flex-col gap-3"
        onSubmit={(submit) => {
          submit.preventDefault();
          save.mutate();
        }}
      >
        <Field
          label={t`URL`}
          error={
            isRefused
              ? t`This URL is refused: it must begin with https:// and lead to a public address. See below which URLs are refused.`
              : undefined
          }
        >
          <Input
            type="url"
            required
            maxLength={2048}
            placeholder="https://example.com/hooks/sheaf"
            value={url}
            onChange={({ target }) => {
              setUrl(target.value);
              if (save.isError) save.reset();
            }}
          />
        </Field>
        {save.isError && !isRefused && <Failure message={wordsOf(save.error)} />}
        <div className="flex flex-wrap gap-2">
          <Button
            look="primary"
            type="submit"
            busy={save.isPending}
            disabled={webhook !== undefined && url.trim() === webhook.url}
          >
            {webhook === undefined ? t`Set up` : t`Change the URL`}
          </Button>
          {webhook !== undefined && <TestEventButton event={event} name={name} />}
          {webhook !== undefined && (
            <Button look="danger" onClick={() => setRemoving(true)} aria-label={t`Remove: ${name}`}>
              {t`Remove`}
            </Button>
          )}
        </div>
      </form>
      {secret !== undefined && (
        <ShownOnce
          title={t`The webhook is set up`}
          values={[{ label: t`Secret`, value: secret }]}
          onDone={() => {
            setSecret(undefined);
            void refresh();
          }}
        >
          <Trans>
            Copy the secret now: it is shown only once. Your program checks the signature of each event with it. For a
            new secret, remove the webhook and set it up again.
          </Trans>
        </ShownOnce>
      )}
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={t`Remove the webhook?`}
        description={t`Events are no longer sent, and deliveries that are waiting are cancelled. The secret becomes invalid.`}
        action={t`Remove`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}
