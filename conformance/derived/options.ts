import type { Case, Json } from '@branchline/contract';
import type { TransportOptions } from '../engine/http/transport.ts';
import type { Credential } from './credentials.ts';
import type { Prepared } from './request.ts';

/** The server that is tried. */
export interface Target {
  /** Everything before the paths of the contract, say `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** By the name of the security scheme. Cases that need others are skipped. */
  credentials?: Record<string, Credential>;
}

/**
 * Makes what a case needs (say, a branch to act upon), or says why it can't.
 *
 * @param body what the case sends, where that is JSON.
 */
export type Prepare = (
  contractCase: Case,
  body: Json | undefined,
) => Prepared | Unprepared | Promise<Prepared | Unprepared>;

/** The reason for which a case is skipped. */
export interface Unprepared {
  skip: string;
}

export interface RunOptions {
  /** Values of path parameters that hold for every operation, raw: `{ workspaceId: 'demo' }`. */
  path?: Record<string, string>;
  /**
   * By operation id. What is left out is taken from `path`, then from earlier answers of the server, then from the case's own
   * example.
   */
  prepare?: Record<string, Prepare>;
  /** The same for the operations that `prepare` does not name. */
  before?: Prepare;
  /** Cases under way at once. Defaults to 4. */
  concurrency?: number;
  /** For one exchange. Defaults to 10,000. */
  timeLimitMs?: number;
  /** At least this long between the starts of two requests. Defaults to 0. */
  paceMs?: number;
  /** Ends the run early; cases that have not ended give no result. */
  signal?: AbortSignal;
  /** What is chosen at random follows from it. Left out: itself at random. */
  seed?: number;
  /** Sent with each request. */
  headers?: readonly [string, string][];
  /** How connections are made. */
  connection?: TransportOptions;
  /** By the credentials as they are sent: the environment variable that stands for them in reports. */
  variables?: ReadonlyMap<string, string>;
}
