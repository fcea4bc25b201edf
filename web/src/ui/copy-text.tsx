/** Shows a text with a button to copy it, such as a reference, a link or a secret. */
import { useLingui } from "@lingui/react/macro";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./button.tsx";

export function CopyText({ text, label }: { text: string; label: string }) {
  const { t } = useLingui();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className="flex items-center gap-1 rounded-md border border-line bg-sunken pl-3">
      <code className="min-w-0 grow py-1.5 font-mono text-[0.87rem] break-all">{text}</code>
      <IconButton label={isCopied ? t`Copied` : t`Copy ${label}`} onClick={copy}>
        {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? t`Copied` : ""}
      </span>
    </div>
  );
}
