/** The version of this build, as in package.json. */
import packageJson from "../../package.json" with { type: "json" };

export const { version } = packageJson;
