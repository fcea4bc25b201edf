/** Texts that say why a value needs a check, or why it needs no check. */
import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { Check, CircleAlert, CircleHelp, CircleSlash, Pencil } from "lucide-react";
import { useFormats } from "../../ui/formats.ts";
import { Badge, type Tone } from "../../ui/page.tsx";
import { type Look, lookOf, needsLook } from "./looks.ts";
import { type FieldNode, valuesOf } from "./review-model.ts";

const tones: Record<Look, Tone> = {
  corrected: "accent",
  confirmed: "success",
  nulled: "accent",
  not_found: "warning",
  no_evidence: "warning",
  low_confidence: "warning",
  sure: "neutral",
  empty: "neutral",
};

export function useLookWords(): (node: FieldNode) => string {
  const { t } = useLingui();
  const { percent } = useFormats();
  return (node) => {
    const look = lookOf(node);
    if (node.kind === "list") {
      const toLook = valuesOf(node.rows).filter(needsLook).toArray().length;
      if (look === "low_confidence") return plural(toLook, { one: "# value to check", other: "# values to check" });
      return look === "not_found" ? t`No rows found` : look === "confirmed" ? t`Confirmed` : t`Reliable`;
    }
    const confidence = percent(node.evidence?.confidence ?? 0);
    const words: Record<Look, string> = {
      corrected: t`Corrected`,
      confirmed: t`Confirmed`,
      nulled: t`Removed`,
      not_found: t`Not found`,
      no_evidence: t`Place unknown`,
      low_confidence: t`Low confidence, ${confidence}`,
      sure: t`Reliable, ${confidence}`,
      empty: t`Empty`,
    };
    return words[look];
  };
}

export function LookBadge({ node }: { node: FieldNode }) {
  const wordsOf = useLookWords();
  const look = lookOf(node);
  if (look === "sure") return <span className="text-[0.83rem] whitespace-nowrap text-muted">{wordsOf(node)}</span>;
  return (
    <Badge tone={tones[look]}>
      <LookIcon look={look} />
      {wordsOf(node)}
    </Badge>
  );
}

const icons: Partial<Record<Look, typeof Check>> = {
  corrected: Pencil,
  confirmed: Check,
  nulled: CircleSlash,
  not_found: CircleHelp,
  no_evidence: CircleHelp,
  low_confidence: CircleAlert,
};

export function LookIcon({ look }: { look: Look }) {
  const Icon = icons[look];
  return Icon === undefined ? null : <Icon size={13} aria-hidden className="shrink-0" />;
}
