/** Area that accepts dropped files and opens the file dialog when clicked. */
import { useLingui } from "@lingui/react/macro";
import { Upload } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { classes } from "../../ui/classes.ts";

/**
 * Extensions that extraction accepts. They only filter the file dialog; the service checks the
 * content of each file.
 */
export const acceptedFiles = ".pdf,.png,.jpg,.jpeg,.docx,.xlsx";

interface DropZoneProps {
  label: ReactNode;
  description?: ReactNode;
  multiple?: boolean;
  disabled?: boolean;
  /** True if the area is only one line high, which leaves room for the list of dropped files. */
  compact?: boolean;
  onFiles: (files: File[]) => void;
}

export function DropZone({
  label,
  description,
  multiple = false,
  disabled = false,
  compact = false,
  onFiles,
}: DropZoneProps) {
  const { t } = useLingui();
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])];
    if (chosen.length > 0 && !disabled) onFiles(multiple ? chosen : chosen.slice(0, 1));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is another way to use the input within
    <div
      className={classes(
        "relative flex items-center rounded-xl border border-dashed px-4 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
        compact ? "flex-wrap gap-x-3 gap-y-1 py-3" : "flex-col py-8 text-center",
        isOver ? "border-accent bg-accent-soft" : "border-line-strong/50 bg-surface",
        disabled && "opacity-60",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Upload
        size={compact ? 20 : 26}
        strokeWidth={1.5}
        className={classes("text-muted", !compact && "mb-2")}
        aria-hidden
      />
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <p id={`${id}-description`} className={classes("text-[0.87rem] text-muted", !compact && "mt-1")}>
        {description ?? t`PDF, Word (docx), Excel (xlsx), JPEG or PNG`}
      </p>
      {/* The input covers the whole area, so clicks and drops work without a script. */}
      <input
        id={id}
        type="file"
        aria-describedby={`${id}-description`}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
        accept={acceptedFiles}
        multiple={multiple}
        disabled={disabled}
        onChange={(event) => {
          take(event.target.files);
          // Resets the input, so that the same file can be chosen again.
          event.target.value = "";
        }}
      />
    </div>
  );
}
