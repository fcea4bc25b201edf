/** Webhooks of the organization: one URL per event. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Section } from "../../ui/section.tsx";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { Loaded } from "./loaded.tsx";
import { webhooksQuery } from "./organization.queries.ts";
import { WebhookCard } from "./webhook-card.tsx";
import { webhookEvents } from "./webhook-words.ts";

export function WebhooksTab() {
  const { t } = useLingui();
  const webhooks = useQuery(webhooksQuery);
  return (
    <>
      <Section
        title={t`Webhooks`}
        description={t`When an event happens, Sheaf sends it to your URL, signed with the secret of the webhook. Each event has one URL.`}
      >
        <Loaded query={webhooks}>
          {(all) => (
            <div className="flex flex-col gap-4">
              {webhookEvents.map((event) => (
                <WebhookCard key={event} event={event} webhook={all.find((each) => each.event === event)} />
              ))}
              <details className="rounded-xl border border-line bg-surface p-5">
                <summary className="cursor-pointer font-medium">
                  <Trans>Which URLs are refused?</Trans>
                </summary>
                <div className="mt-3 flex flex-col gap-2 text-muted">
                  <p>
                    <Trans>
                      A webhook needs a public URL that begins with https://. Addresses of this machine or of an
                      internal network, other protocols, and URLs with a user name or password are refused, so that
                      nobody can use Sheaf to reach internal systems.
                    </Trans>
                  </p>
                  <p>
                    <Trans>
                      The address is checked again at each delivery. The operator of the service can allow single
                      internal receivers in its settings.
                    </Trans>
                  </p>
                </div>
              </details>
            </div>
          )}
        </Loaded>
      </Section>
      <DeliveriesSection />
    </>
  );
}
