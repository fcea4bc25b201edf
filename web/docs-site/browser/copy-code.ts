/**
 * Adds a copy button to each code block. Browsers allow copying only over HTTPS or on localhost.
 */
import { element } from "./element.ts";

/** Time for which the button says "Copied", in milliseconds. Chosen by hand, 2026-11. */
const noticeMs = 2_000;

export function copyCodeOnRequest(): void {
  if (!isSecureContext) return;
  for (const block of document.querySelectorAll("pre")) {
    const button = element("button", { type: "button", className: "copy", textContent: "Copy" });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent.trimEnd());
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, noticeMs);
    });
    const frame = element("div", { className: "code" });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}
