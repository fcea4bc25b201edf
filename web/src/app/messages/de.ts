/** All messages of one language, in one file of the build. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>("../../**/locales/de.po", { eager: true });
