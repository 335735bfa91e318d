/** The scopes of service accounts; the contract names at most one per operation. */
export const SCOPES = ['branches:create', 'branches:export', 'branches:manage', 'inspector:read'] as const;

export type Scope = (typeof SCOPES)[number];

/** The authenticated service account of a request. */
export interface ServiceAccount {
  workspaceId: string;
  accountId: string;
  name: string;
  /** Used as `branchCreatorEmail`, and as the acting user's e-mail if the request gives none. */
  email: string;
  scopes: readonly Scope[];
  /** Requests per second and operation; null: the server's setting. */
  ratePerSecond: number | null;
  /** null: the server's setting. */
  rateEnforcement: 'soft' | 'hard' | null;
}

/** The authenticated Inspector API key of a request. */
export interface ApiKey {
  workspaceId: string;
  keyId: string;
  /** The app that the key ships in. */
  source: string;
  /** The share of events, 0 to 1, that the library should report. */
  samplingRate: number;
}

/** The roles of people in a workspace; each includes the ones before it. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** The person authenticated by a request's session. */
export interface Session {
  workspaceId: string;
  userId: string;
  email: string;
  role: Role;
  /** Hash of the session's token, which is the session's key. */
  sessionHash: string;
  /** When the session ends at the latest; milliseconds since 1970, UTC. */
  expiresAt: number;
}

/** The principals that handlers receive, by the contract's security schemes. */
export interface Authenticated {
  serviceAccount: ServiceAccount;
  apiKey: ApiKey;
  session: Session;
}

/** The principal of an operation that accepts service accounts and people. */
export type ProgramOrPerson =
  { serviceAccount: ServiceAccount; session?: undefined } | { serviceAccount?: undefined; session: Session };
