/** An organization with one caller for each combination of authentication and role. */
import { addDomain } from "../../src/features/sign-on/domains.service.ts";
import { newId } from "../../src/lib/ids.ts";
import { credentialOf, join, type Person } from "./people.ts";
import type { TestClient, TestOrganization, TestService } from "./service.ts";

/** A caller of the API: with a token or a session, as administrator or member. */
export interface TestCaller {
  scheme: "apiKey" | "session";
  role: "administrator" | "member";
  memberId: string;
  send: TestClient["send"];
}

/**
 * An organization with one caller for each combination of authentication and role. `mark` is part
 * of every name and text that the tests create in it, so that a response can be searched for it.
 */
export interface World {
  service: TestService;
  organization: TestOrganization;
  mark: string;
  callers: Record<"token" | "session" | "memberToken" | "memberSession", TestCaller>;
}

export async function makeWorld(service: TestService, mark: string): Promise<World> {
  const organization = await service.organization(`House of ${mark}`);
  await addDomain(service.db, organization.id, `${mark}-${newId()}.example.com`);
  const ada = await join(service, organization, "administrator", { name: `Ada ${mark}` });
  const bob = await join(service, organization, "member", { name: `Bob ${mark}` });
  const byToken = async (person: Person) => (await credentialOf(service, person, `of ${mark}`)).send;
  const as = (
    scheme: TestCaller["scheme"],
    role: TestCaller["role"],
    { memberId }: Person,
    send: TestClient["send"],
  ): TestCaller => ({
    scheme,
    role,
    memberId,
    send,
  });
  return {
    service,
    organization,
    mark,
    callers: {
      token: as("apiKey", "administrator", ada, await byToken(ada)),
      session: as("session", "administrator", ada, ada.send),
      memberToken: as("apiKey", "member", bob, await byToken(bob)),
      memberSession: as("session", "member", bob, bob.send),
    },
  };
}

/** Settings with which every operation of the service can succeed. */
export const operationSettings = {
  SHEAF_PUBLIC_URL: "https://sheaf.example.com",
  SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
  SHEAF_OUTBOUND_HTTP: "on",
};
