/** Sends a test event and opens its delivery. */
import { useLingui } from "@lingui/react/macro";
import type { EventName } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { notify } from "../../ui/notifications.tsx";
import { deliveriesKey } from "./deliveries.queries.ts";

interface TestEventButtonProps {
  event: EventName;
  /** Name of the event in the language of the interface. */
  name: string;
}

export function TestEventButton({ event, name }: TestEventButtonProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const send = useMutation({
    mutationFn: () => sheaf.testWebhook(event),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: deliveriesKey });
      await navigate({ to: "/organization/webhooks", search: { event, delivery: data.id }, resetScroll: false });
    },
    onError: (error) => notify(wordsOf(error), "error"),
  });
  return (
    <Button busy={send.isPending} onClick={() => send.mutate()} aria-label={t`Send a test event: ${name}`}>
      <Send size={16} aria-hidden />
      {t`Send a test event`}
    </Button>
  );
}
