/** Loads the components of screens together with their messages. */
import { lazyRouteComponent } from "@tanstack/react-router";
import { loadScreenMessages } from "./language.ts";

/**
 * Returns the component of a route. Its module and the messages of the screens are loaded when the
 * route is first visited. The sign-in and start screens do not need this function, because their
 * messages are loaded with the frame.
 */
export const lazyScreen = <Module extends Record<string, unknown>, Name extends keyof Module>(
  importModule: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => Promise.all([importModule(), loadScreenMessages()]).then(([module]) => module), name);
