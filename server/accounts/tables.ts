export interface AccountTables {
  workspaces: WorkspaceRow;
  service_accounts: ServiceAccountRow;
  api_keys: ApiKeyRow;
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
}
