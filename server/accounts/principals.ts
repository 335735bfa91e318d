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

/** What a person may do in a workspace; each role may do what those before it may. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** The person that a request was authenticated as, by a session. */
export interface Session {
  workspaceId: string;
  userId: string;
  email: string;
  role: Role;
  /** Hash of the session's token, which is its key. */
  sessionHash: string;
  /** When it ends at the latest; milliseconds since 1970, UTC. */
  expiresAt: number;
}

/** What authentication hands to the handlers, by the contract's security schemes. */
export interface Authenticated {
  serviceAccount: ServiceAccount;
  apiKey: ApiKey;
  session: Session;
}

/** Who was proven, of an operation that takes service accounts and people. */
export type ProgramOrPerson =
  { serviceAccount: ServiceAccount; session?: undefined } | { serviceAccount?: undefined; session: Session };
