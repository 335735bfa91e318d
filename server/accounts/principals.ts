/** What a service account may be allowed to do; the contract names one or none with each operation. */
export const SCOPES = ['branches:create', 'branches:export', 'branches:manage', 'inspector:read'] as const;

export type Scope = (typeof SCOPES)[number];

/** The service account that a request was authenticated as. */
export interface ServiceAccount {
  workspaceId: string;
  accountId: string;
  name: string;
  /** Stands as `branchCreatorEmail`, and as the acting user's e-mail where a request names none. */
  email: string;
  scopes: readonly Scope[];
  /** Requests per second and operation; null: the server's setting. */
  ratePerSecond: number | null;
  /** null: the server's setting. */
  rateEnforcement: 'soft' | 'hard' | null;
}

/** The Inspector API key that a request was authenticated with. */
export interface ApiKey {
  workspaceId: string;
  keyId: string;
  /** The app that the key ships in. */
  source: string;
  /** The share of events, 0 to 1, that the library is asked to report. */
  samplingRate: number;
}

/** What authentication hands to the handlers, by the contract's security schemes. */
export interface Authenticated {
  serviceAccount: ServiceAccount;
  apiKey: ApiKey;
}
