/** `sheaf keys`: manages the keys that sign access tokens. */
import { rotateSigningKey } from "../features/organizations/key-rotation.service.ts";
import { withInstallation } from "./with-installation.ts";

export const rotateKeys = ({ revoke }: { revoke: boolean }): Promise<void> =>
  withInstallation(async ({ records: { db }, keys }) => {
    const { kid, until } = await rotateSigningKey({ db, keys }, { revoke }, { operator: "cli" });
    console.log(
      revoke
        ? `${kid} signs from now on. All earlier tokens are refused within 5 seconds.`
        : `${kid} signs from ${until} on. Tokens of earlier keys stay valid until they expire.`,
    );
  });

export const listKeys = (): Promise<void> =>
  withInstallation(async ({ keys }) => {
    for (const { kid, state, madeAt, until } of keys.tokens.list())
      console.log(`${kid}  ${state.padEnd(9)}  ${(madeAt ?? "first key").padEnd(24)}  ${until ?? ""}`.trimEnd());
  });
