/**
 * Shows a delivery with its attempts and the body that was sent. The user can send the delivery
 * again from this dialog.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { type Delivery, SheafError } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { useIsLive } from "../../app/live-states.ts";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Badge, Failure } from "../../ui/page.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { deliveriesKey, deliveryQuery } from "./deliveries.queries.ts";
import { DeliveryStatus } from "./delivery-status.tsx";
import { useTime } from "./delivery-time.ts";
import { Loaded } from "./loaded.tsx";
import { eventWords } from "./webhook-words.ts";

export function DeliveryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui();
  const delivery = useQuery(deliveryQuery(id, useIsLive()));
  return (
    <Dialog open wide onOpenChange={onClose} title={t`Delivery`}>
      <Loaded query={delivery}>{(data) => <DeliveryDetails delivery={data} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

function DeliveryDetails({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const time = useTime();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const { id, status, failure, test, attempts, request_body: body } = delivery;
  const replay = useMutation({
    mutationFn: () => sheaf.replayDelivery(id),
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey }),
  });
  const replayWords = () => {
    const code = replay.error instanceof SheafError ? replay.error.code : undefined;
    if (code === "webhook_not_found") return t`This event has no webhook any more. Set it up first.`;
    if (code === "conflict") return t`The delivery is still under way.`;
    return wordsOf(replay.error);
  };
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{i18n._(eventWords[delivery.event].name)}</span>
          <DeliveryStatus status={status} />
          {test && <Badge>{t`Test`}</Badge>}
          <span className="text-muted">{time(delivery.created_at)}</span>
        </p>
        <p role="status" className="mt-1 flex items-center gap-2 text-muted empty:hidden">
          {status === "pending" && (
            <>
              <Spinner />
              <Trans>Waiting for the next attempt or its response…</Trans>
            </>
          )}
          {failure}
        </p>
      </div>
      <Attempts attempts={attempts} />
      {body !== null && (
        <div>
          <h3 className="mb-1 font-semibold">
            <Trans>Body of the last attempt</Trans>
          </h3>
          <section
            aria-label={t`Body of the last attempt`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
            tabIndex={0}
            className="max-h-72 overflow-auto rounded-md border border-line bg-sunken p-3"
          >
            <pre className="font-mono text-[0.83rem] break-all whitespace-pre-wrap">{readable(body)}</pre>
          </section>
        </div>
      )}
      <div>
        <p className="mb-1 text-[0.9rem] font-medium">
          <Trans>Id, the same on every attempt</Trans>
        </p>
        <CopyText label={t`Id of the delivery`} text={id} />
      </div>
      {replay.isError && <Failure message={replayWords()} />}
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
        <Button
          look="primary"
          busy={replay.isPending}
          aria-disabled={status === "pending"}
          onClick={() => status !== "pending" && replay.mutate()}
        >
          <RotateCw size={16} aria-hidden />
          <Trans>Send again</Trans>
        </Button>
      </DialogActions>
    </div>
  );
}

function Attempts({ attempts }: { attempts: Delivery["attempts"] }) {
  const { t } = useLingui();
  const { number } = useFormats();
  const time = useTime();
  if (attempts.length === 0)
    return (
      <p className="text-muted">
        <Trans>There was no attempt yet.</Trans>
      </p>
    );
  return (
    <Table caption={t`Attempts`}>
      <thead>
        <tr>
          <HeadCell>{t`Attempt`}</HeadCell>
          <HeadCell>{t`Time`}</HeadCell>
          <HeadCell>{t`Response`}</HeadCell>
          <HeadCell>{t`Duration`}</HeadCell>
          <HeadCell>{t`URL`}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {attempts.map(({ attempt, attempted_at, http_status, error, duration_ms, url }) => (
          <tr key={attempt} className="align-top">
            <Cell className="tabular-nums">{number(attempt)}</Cell>
            <Cell className="whitespace-nowrap">{time(attempted_at)}</Cell>
            <Cell className="min-w-24">
              {http_status === null ? (
                <span className="text-danger">{error ?? t`No response`}</span>
              ) : (
                <Badge tone={http_status < 300 ? "success" : "danger"}>{String(http_status)}</Badge>
              )}
            </Cell>
            <Cell className="whitespace-nowrap tabular-nums">{t`${number(duration_ms)} ms`}</Cell>
            <Cell className="min-w-36 break-all">{url}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Indents the JSON for reading, so the text differs from the exact bytes that the receiver got. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
