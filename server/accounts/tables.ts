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
