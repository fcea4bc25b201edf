/** Lets the user choose one file, with a button or by dropping it. */
import { Trans, useLingui } from "@lingui/react/macro";
import { FileText, Upload, X } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { useFormats } from "../../ui/formats.ts";

/** File types that the service classifies. */
const extensions = ["pdf", "png", "jpg", "jpeg", "docx", "xlsx"];
/** Maximum file size that the API accepts, in bytes. */
const maxBytes = 36 * 1_048_576;

interface FileChoiceProps {
  file: File | undefined;
  onChange: (file: File | undefined) => void;
  disabled: boolean;
}

export function FileChoice({ file, onChange, disabled }: FileChoiceProps) {
  const { t } = useLingui();
  const { bytes } = useFormats();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string>();
  const shownMax = bytes(maxBytes);

  const choose = (files: FileList | null) => {
    const [chosen] = files ?? [];
    if (files === null || chosen === undefined) return;
    const extension = chosen.name.split(".").at(-1)?.toLowerCase() ?? "";
    const found =
      files.length > 1
        ? t`Choose one file at a time.`
        : !extensions.includes(extension)
          ? t`Files of this type are not supported. Choose a PDF, Word, Excel, PNG or JPEG file.`
          : chosen.size > maxBytes
            ? t`The file is too large: ${bytes(chosen.size)}. At most ${shownMax} are allowed.`
            : chosen.size === 0
              ? t`The file is empty.`
              : undefined;
    setProblem(found);
    if (found === undefined) onChange(chosen);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!disabled) choose(event.dataTransfer.files);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button within
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={classes(
        "rounded-xl border-2 border-dashed px-6 py-10 text-center transition-colors",
        isOver ? "border-accent bg-accent-soft" : "border-line-strong/50 bg-surface",
      )}
    >
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        aria-hidden
        className="hidden"
        accept={extensions.map((each) => `.${each}`).join(",")}
        onChange={({ target }) => {
          choose(target.files);
          // Resets the input, so that the same file can be chosen again.
          target.value = "";
        }}
      />
      {file === undefined ? (
        <>
          <Upload size={32} strokeWidth={1.5} className="mx-auto mb-3 text-muted" aria-hidden />
          <p className="mb-3">
            <Trans>Drop a file here, or</Trans>
          </p>
          <Button look="primary" disabled={disabled} onClick={() => input.current?.click()}>
            <Trans>Choose a file</Trans>
          </Button>
          <p className="mt-3 text-[0.87rem] text-muted">
            <Trans>PDF, Word, Excel, PNG or JPEG, up to {shownMax}.</Trans>
          </p>
        </>
      ) : (
        <div className="flex flex-wrap items-center justify-center gap-3">
          <FileText size={24} className="text-accent" aria-hidden />
          <span className="min-w-0 text-left">
            <span className="block font-medium break-all">{file.name}</span>
            <span className="block text-[0.87rem] text-muted">{bytes(file.size)}</span>
          </span>
          <Button small disabled={disabled} onClick={() => input.current?.click()}>
            <Trans>Choose another</Trans>
          </Button>
          <IconButton label={t`Remove the file`} disabled={disabled} onClick={() => onChange(undefined)}>
            <X size={18} aria-hidden />
          </IconButton>
        </div>
      )}
      <p role="alert" className="mt-3 text-danger empty:hidden">
        {problem}
      </p>
    </div>
  );
}
