import type { Case, Json } from '@branchline/contract';
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
   * By operation id. An operation with path parameters is tried only where `path` gives them all or where it has a hook here;
   * with a hook, the case's own example stands in for what the hook leaves out.
   */
  prepare?: Record<string, Prepare>;
  /** Cases under way at once. Defaults to 4. */
  concurrency?: number;
  /** For one exchange. Defaults to 10,000. */
  timeLimitMs?: number;
  /** At least this long between the starts of two requests. Defaults to 0. */
  paceMs?: number;
  /** Ends the run early; cases that have not ended give no result. */
  signal?: AbortSignal;
}
