import type { AdministrativeAct } from './audit.ts';

export interface AccountTables {
  workspaces: WorkspaceRow;
  service_accounts: ServiceAccountRow;
  api_keys: ApiKeyRow;
  users: UserRow;
  sessions: SessionRow;
  sign_in_links: SignInLinkRow;
  audit_lines: AuditLineRow;
}

export interface WorkspaceRow {
  workspace_id: string;
  /** Tells which hash key its secrets are stored under, without telling the key. */
  hash_key_id: string;
  created_at: number;
  /** When it was deleted. The row stays for ever, so that nobody gets the same id again; null: it lives. */
  deleted_at: number | null;
  /** When the last of its rows in other tables was gone; null: it lives, or there may be some left. */
  emptied_at: number | null;
}

export interface ServiceAccountRow {
  workspace_id: string;
  account_id: string;
  /** Unique in the workspace; never holds a colon, since Basic credentials are split at the first one. */
  name: string;
  email: string;
  /** Keyed hash of the secret, base64url. */
  secret_hash: string;
  /** JSON array of scopes. */
  scopes: string;
  /** Requests per second and operation; null: the server's setting. */
  rate_per_second: number | null;
  /** `soft` or `hard`; null: the server's setting. */
  rate_enforcement: string | null;
  created_at: number;
  /** Kept to some minutes; null: never, or not since this is counted. */
  last_used_at: number | null;
}

export interface ApiKeyRow {
  workspace_id: string;
  key_id: string;
  /** The app that the key ships in; what it sends is counted under this name. */
  source: string;
  /** Keyed hash of the key's secret part, base64url. */
  secret_hash: string;
  /** The share of events, 0 to 1, that the library is asked to report. */
  sampling_rate: number;
  created_at: number;
  /** Kept to some minutes; null: never, or not since this is counted. */
  last_used_at: number | null;
  /** `2026-01-02`, UTC: the day that `batches` is of; null before the first one. */
  batch_day: string | null;
  batches: number;
  /** JSON array of `LibraryUse`s. */
  libraries: string;
}

/** A person in one workspace; who is in several has an account, and a password, in each. */
export interface UserRow {
  workspace_id: string;
  user_id: string;
  email: string;
  /** The e-mail as it is compared: in lower case. Unique in the workspace. */
  email_key: string;
  role: string;
  /** argon2id with its parameters, in the PHC string format; null until one was chosen, and again once they sign in at the OIDC provider. */
  password_hash: string | null;
  /** Issuer and subject of the identity that they sign in as at the OIDC provider; null: none. */
  oidc_issuer: string | null;
  oidc_subject: string | null;
  created_at: number;
  /** null: never. */
  last_sign_in_at: number | null;
}

export interface SessionRow {
  workspace_id: string;
  /** Keyed hash of the token, base64url. */
  session_hash: string;
  user_id: string;
  created_at: number;
  /** Kept to the hour. */
  last_used_at: number;
  expires_at: number;
}

export interface SignInLinkRow {
  workspace_id: string;
  /** Keyed hash of the token, base64url. */
  token_hash: string;
  /** Whom it lets in; null: whoever says who they are, as `role`. */
  user_id: string | null;
  /** null where `user_id` is not. */
  role: string | null;
  expires_at: number;
}

/** Append-only: an administrative act. */
export interface AuditLineRow {
  workspace_id: string;
  /** In the order of time. */
  line_id: string;
  happened_at: number;
  /** null: the command line. */
  actor_id: string | null;
  actor_email: string | null;
  act: AdministrativeAct;
  subject: string;
}
