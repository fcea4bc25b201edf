/**
 * Row types of organizations and the people in them.
 *
 * The library Better Auth and its organization plugin use the tables users, accounts, sessions,
 * verifications, organizations, members, groups and group_members. Their columns are those that the
 * library expects, with names in snake case.
 */
import type { ColumnType } from "kysely";
import type { Flag, Json, Time } from "./column-types.ts";

export interface PeopleTables {
  users: UsersTable;
  accounts: AccountsTable;
  sessions: SessionsTable;
  verifications: VerificationsTable;
  invitations: InvitationsTable;
  organizations: OrganizationsTable;
  members: MembersTable;
  groups: GroupsTable;
  group_members: GroupMembersTable;
  credentials: CredentialsTable;
  sign_in_limits: SignInLimitsTable;
  failed_attempts: FailedAttemptsTable;
  first_sign_in_links: FirstSignInLinksTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  used_challenges: UsedChallengesTable;
  organization_domains: OrganizationDomainsTable;
  sign_on_providers: SignOnProvidersTable;
  sign_on_groups: SignOnGroupsTable;
  sign_on_identities: SignOnIdentitiesTable;
  scim_tokens: ScimTokensTable;
  scim_users: ScimUsersTable;
  scim_groups: ScimGroupsTable;
  scim_group_members: ScimGroupMembersTable;
}

/**
 * Null only in rows that a process of an earlier version inserted during a rolling upgrade.
 * Maintenance fills in the value later.
 */
type Address = ColumnType<string, string, string>;

interface UsersTable {
  id: string;
  name: string;
  /**
   * Unique but unused: contains the id, or the email address for users created before schema 14.
   */
  email: string;
  /**
   * Email address in lower case. Several users may have the same address, each with a different
   * password.
   */
  address: Address;
  /** True if the operator vouches that the address belongs to the user. */
  email_verified: Flag;
  image: string | null;
  created_at: Time;
  updated_at: Time;
}

/** A sign-in method of a user. The provider `credential` stands for a password. */
interface AccountsTable {
  id: string;
  user_id: string;
  account_id: string;
  provider_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Time | null;
  refresh_token_expires_at: Time | null;
  scope: string | null;
  /** Hash of the password. */
  password: string | null;
  created_at: Time;
  updated_at: Time;
}

interface SessionsTable {
  id: string;
  user_id: string;
  token: string;
  expires_at: Time;
  ip_address: string | null;
  user_agent: string | null;
  /** The organization that the user currently works in. */
  active_organization_id: string | null;
  /**
   * The organization whose identity provider opened the session. The session gives access to no
   * other organization. Null if the session was opened in another way.
   */
  sign_on_organization_id: string | null;
  created_at: Time;
  updated_at: Time;
}

interface VerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Time;
  created_at: Time;
  updated_at: Time;
}

export type InvitationStatus = "pending" | "accepted" | "canceled";

interface InvitationsTable {
  id: string;
  organization_id: string;
  email: string;
  role: MemberRole;
  status: InvitationStatus;
  /** The user who sent the invitation; null for the operator or a deleted user. */
  inviter_id: string | null;
  /** Keyed hash of the acceptance token, hexadecimal. */
  token_hash: string;
  expires_at: Time;
  created_at: Time;
}

interface OrganizationsTable {
  id: string;
  name: string;
  slug: string;
  logo: string | null;
  metadata: Json | null;
  api_enabled: Flag;
  /**
   * Plan assigned by the operator, which takes precedence over subscriptions; null if there is
   * none.
   */
  plan: string | null;
  /** Days for which extractions are kept; 0 if none are kept; null for the default. */
  keep_extractions_days: ColumnType<number | null, number | null | undefined, number | null>;
  created_at: Time;
  updated_at: Time;
}

export type MemberRole = "administrator" | "member";
export type MemberStatus = "active" | "disabled";

interface MembersTable {
  id: string;
  organization_id: string;
  user_id: string;
  role: MemberRole;
  status: MemberStatus;
  created_at: Time;
}

interface GroupsTable {
  id: string;
  organization_id: string;
  name: string;
  created_at: Time;
  updated_at: Time;
}

interface GroupMembersTable {
  id: string;
  group_id: string;
  user_id: string;
  created_at: Time;
}

interface CredentialsTable {
  /** The client id. */
  id: string;
  organization_id: string;
  member_id: string;
  name: string;
  /** Keyed hash of the client secret, hexadecimal. */
  secret_hash: string;
  created_at: Time;
  /** Time of the last use, precise to the minute. */
  last_used_at: ColumnType<Time | null, Time | undefined, Time>;
  revoked_at: Time | null;
  /** Time from which the credential and its tokens are refused; null if they never expire. */
  expires_at: ColumnType<Time | null, Time | null | undefined, Time | null>;
}

/** Link with which the first administrator signs in once. Each process creates at most one link. */
interface FirstSignInLinksTable {
  /** Name of the process that created the link. It stays the same when the process restarts. */
  worker: string;
  /** Keyed hash of the token, hexadecimal. */
  token_hash: string;
  created_at: Time;
  expires_at: Time;
}

/** Authenticator app of a user. */
interface SecondFactorsTable {
  user_id: string;
  /** Encrypted secret from which the app computes the codes. */
  secret: string;
  /** Time step of the last code used, in units of 30 s since 1970; 0 if no code was used. */
  last_step: ColumnType<number | string, number, number>;
  created_at: Time;
  /**
   * Null until the user has entered a code for the secret. Before that, sign-in requires no code.
   */
  confirmed_at: Time | null;
}

/** A recovery code that has not been used. */
interface RecoveryCodesTable {
  user_id: string;
  /** Keyed hash of the code, hexadecimal. */
  code_hash: string;
}

interface PasskeysTable {
  id: string;
  user_id: string;
  name: string;
  /** Id assigned by the device, in base64url. */
  credential_id: string;
  /** Public key: a COSE key in base64url. */
  public_key: string;
  /**
   * Host name of the web application for which the passkey was created. The passkey is not valid
   * for any other host.
   */
  host: string;
  /** Signature counter of the device; 0 if the device does not count signatures. */
  counter: ColumnType<number | string, number, number>;
  created_at: Time;
  last_used_at: ColumnType<Time | null, undefined, Time>;
}

/** An email domain that the operator has assigned to an organization. */
interface OrganizationDomainsTable {
  /** In lower case and ASCII. */
  domain: string;
  organization_id: string;
  created_at: Time;
}

/** The provider with which members of an organization sign in. */
interface SignOnProvidersTable {
  organization_id: string;
  issuer: string;
  client_id: string;
  /** Encrypted. */
  client_secret: string;
  scope: string;
  groups_claim: string | null;
  administrator_value: string | null;
  enforced: Flag;
  break_glass_member_id: string | null;
  created_at: Time;
  updated_at: Time;
}

/**
 * Maps a value of the groups claim to a group. Users whose claim contains this value become members
 * of the group.
 */
interface SignOnGroupsTable {
  organization_id: string;
  value: string;
  group_id: string;
}

/**
 * Links a user to an account at the identity provider of an organization. The user signs in to the
 * organization with this account.
 */
interface SignOnIdentitiesTable {
  organization_id: string;
  issuer: string;
  subject: string;
  user_id: string;
  created_at: Time;
  last_used_at: Time;
}

/** Token with which an identity provider provisions the members of an organization. */
interface ScimTokensTable {
  id: string;
  organization_id: string;
  name: string;
  /** Keyed hash of the token, hexadecimal. */
  token_hash: string;
  created_at: Time;
  /** Time of the last use, precise to the minute. */
  last_used_at: ColumnType<Time | null, undefined, Time>;
}

/**
 * Attributes that the identity provider has set for a member. A member without a row has no such
 * attributes.
 */
interface ScimUsersTable {
  member_id: string;
  organization_id: string;
  /**
   * The user name as the provider sent it. `user_name_key` is the name in lower case, for
   * comparisons.
   */
  user_name: string;
  user_name_key: string;
  external_id: string | null;
  display_name: string | null;
  formatted_name: string | null;
  given_name: string | null;
  family_name: string | null;
  created_at: Time;
  updated_at: Time;
}

/** A group of the identity provider. The mapping of groups at sign-on refers to it by its name. */
interface ScimGroupsTable {
  id: string;
  organization_id: string;
  display_name: string;
  external_id: string | null;
  created_at: Time;
  updated_at: Time;
}

interface ScimGroupMembersTable {
  group_id: string;
  member_id: string;
}

/** A passkey challenge or sign-on state that has been used. It is kept until it expires. */
interface UsedChallengesTable {
  /** SHA-256 of the challenge or state, hexadecimal. */
  challenge_hash: string;
  expires_at: Time;
}

/** Rate limits of attempts with a password or a code, per user and network. */
interface SignInLimitsTable {
  /**
   * What is limited. For passwords, the id of the user; for codes, the id after the prefix `code `.
   * If no user has the email address, the hash of the address.
   */
  subject: string;
  /**
   * A network from which the user has signed in. An empty string stands for all other networks,
   * which share one quota.
   */
  network: string;
  /** Time when the full quota is available again, in milliseconds since 1970. */
  full_at: ColumnType<number | string, number, number>;
  /** Last successful sign-in of the user from this network. */
  succeeded_at: Time | null;
}

/** Failed authentication attempts from one client network. */
interface FailedAttemptsTable {
  /** IPv4 address, or IPv6 network (/64). */
  network: string;
  /** Time when the full quota is available again, in microseconds since 1970. */
  full_at: ColumnType<number | string, number, number>;
}
