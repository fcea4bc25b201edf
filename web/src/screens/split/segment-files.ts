/** Downloads segments as PDF files. */
import { useMutation } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { notify } from "../../ui/notifications.tsx";
import { saveFile } from "../../ui/save-file.ts";
import type { Segments } from "./split-model.ts";

/** Returns the file name for a segment: its title or, without one, its class. */
export function segmentFileName({ title, label }: Segments[number], index: number): string {
  const [name] = [title, label].map((text) => text.replace(/[\p{C}/\\:*?"<>|]+/gu, " ").trim()).filter(Boolean);
  return `${(name ?? `${index + 1}`).slice(0, 60).trim()}.pdf`;
}

/**
 * Downloads segments one after the other. Each file has the pages of the segment as it was last
 * saved.
 */
export function useSegmentDownload(id: string, segments: Segments) {
  const wordsOf = useErrorWords();
  return useMutation({
    mutationFn: async (indexes: readonly number[]) => {
      for (const index of indexes) {
        const segment = segments[index];
        if (segment === undefined) continue;
        const bytes = await sheaf.getClassificationSegmentFile(id, String(index));
        saveFile(
          new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/pdf" }),
          segmentFileName(segment, index),
        );
      }
    },
    onError: (error) => notify(wordsOf(error), "error"),
  });
}
