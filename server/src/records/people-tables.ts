/**
 * Row types of organizations and the people in them.
 *
 * users, accounts, sessions, verifications, organizations, members, groups and group_members have the columns that Better Auth and its
 * organization plugin expect, their names in snake case.
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
}

/** Null only in rows that a process of an earlier version inserted beside this one, until the next tidying. */
type Address = ColumnType<string, string, string>;

interface UsersTable {
  id: string;
  name: string;
  /** Unique, and not read: the id, or of users from before schema 14 the address. */
  email: string;
  /** Email address in lower case. Several users may have the same one, each with a password of its own. */
  address: Address;
  /** Whether the operator vouches that the user is the owner of the address. */
  email_verified: Flag;
  image: string | null;
  created_at: Time;
  updated_at: Time;
}

/** A way for a user to sign in; the provider `credential` is a password. */
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
  /** Its hash. */
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
  /** The organization that the user works in. */
  active_organization_id: string | null;
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
  /** The user who invited; null for the operator, and where they are gone. */
  inviter_id: string | null;
  /** Keyed hash of the token that accepts it, hexadecimal. */
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
  /** What the operator has assigned, whatever a subscription would give; null: nothing. */
  plan: string | null;
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
  /** To the minute. */
  last_used_at: ColumnType<Time | null, Time | undefined, Time>;
  revoked_at: Time | null;
  /** From then on the credential and its tokens are refused; null: never. */
  expires_at: ColumnType<Time | null, Time | null | undefined, Time | null>;
}

/** How many passwords may still be tried for one user, from one network. */
interface SignInLimitsTable {
  /** Id of the user; of an address without one a part of its hash. */
  subject: string;
  /** A network that the user has signed in from; empty: every other one together. */
  network: string;
  /** Milliseconds since 1970: when the whole quota is there again. */
  full_at: ColumnType<number | string, number, number>;
  /** Last time that the user signed in from this network. */
  succeeded_at: Time | null;
}
