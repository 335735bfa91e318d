import type { AdministrativeAct } from './audit.ts';

export interface AccountTables {
  workspaces: WorkspaceRow;
  service_accounts: ServiceAccountRow;
  api_keys: ApiKeyRow;
  users: UserRow;
  sessions: SessionRow;
  sign_in_links: SignInLinkRow;
  finished_sign_ins: FinishedSignInRow;
  audit_lines: AuditLineRow;
}

export interface WorkspaceRow {
  workspace_id: string;
  /** Identifies the hash key of its secrets, without revealing it. */
  hash_key_id: string;
  created_at: number;
  /** When it was deleted. The row stays forever, so that the id is never reused; null: not deleted. */
  deleted_at: number | null;
  /** When its last row in other tables was deleted; null: not deleted, or some may be left. */
  emptied_at: number | null;
}

export interface ServiceAccountRow {
  workspace_id: string;
  account_id: string;
  /** Unique in the workspace; contains no colon, since Basic credentials are split at the first one. */
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
  /** Accurate to some minutes; null: never, or not since uses are counted. */
  last_used_at: number | null;
}

export interface ApiKeyRow {
  workspace_id: string;
  key_id: string;
  /** The app that the key ships in; its events are counted under this name. */
  source: string;
  /** Keyed hash of the key's secret part, base64url. */
  secret_hash: string;
  /** The share of events, 0 to 1, that the library should report. */
  sampling_rate: number;
  created_at: number;
  /** Accurate to some minutes; null: never, or not since uses are counted. */
  last_used_at: number | null;
  /** `2026-01-02`, UTC: the day of `batches`; null before the first one. */
  batch_day: string | null;
  batches: number;
  /** JSON array of `LibraryUse`s. */
  libraries: string;
}

/** A person in one workspace; a person in several workspaces has an account, and a password, in each. */
export interface UserRow {
  workspace_id: string;
  user_id: string;
  email: string;
  /** The e-mail in its form for comparison: in lower case. Unique in the workspace. */
  email_key: string;
  role: string;
  /** argon2id with its parameters, in the PHC string format; null before one is chosen, and after binding to the OIDC provider. */
  password_hash: string | null;
  /** Issuer and subject of the bound identity at the OIDC provider; null: none. */
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
  /** Accurate to the hour. */
  last_used_at: number;
  expires_at: number;
}

export interface SignInLinkRow {
  workspace_id: string;
  /** Keyed hash of the token, base64url. */
  token_hash: string;
  /** The person it lets in; null: a new person, with `role`. */
  user_id: string | null;
  /** null if `user_id` is set. */
  role: string | null;
  expires_at: number;
}

/** A sign-in at the OIDC provider that has let somebody in. */
export interface FinishedSignInRow {
  workspace_id: string;
  /** SHA-256 of its state, base64url. */
  state_hash: string;
  finished_at: number;
}

/** Append-only: administrative actions. */
export interface AuditLineRow {
  workspace_id: string;
  /** In time order. */
  line_id: string;
  happened_at: number;
  /** null: the command line. */
  actor_id: string | null;
  actor_email: string | null;
  act: AdministrativeAct;
  subject: string;
}
