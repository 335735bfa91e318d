import type { TransportOptions } from '../engine/http/transport.ts';
import type { Selection } from '../engine/selection.ts';
import type { Account } from './account.ts';
import type { Seeding } from './seeding.ts';

/** What a run needs to know. */
export interface SuiteOptions {
  /** Everything before `/workspaces/`, say `https://api.example`. */
  readonly baseUrl: string;
  readonly workspace: string;
  /** One, or two of the same workspace. */
  readonly accounts: readonly [Account, ...Account[]];
  /** Another workspace with an account of its own. */
  readonly secondWorkspace?: { readonly workspace: string; readonly account: Account } | undefined;
  /** Sent with each request, unless its case says otherwise. Values of those that sound secret come into no report. */
  readonly headers?: readonly [string, string][];
  /** HTTP/2, or what TLS needs to know. Left out: HTTP/1.1, and certificates that Node trusts. */
  readonly connection?: TransportOptions | undefined;
  /** Of the Inspector. */
  readonly apiKey?: string | undefined;
  /** Puts a branch into a status, where the service itself has no documented way to do so. */
  readonly seed?: Seeding | undefined;
  /** Demands the decisions of this project too, and tries the operations that only it has. */
  readonly profile?: boolean;
  /** Requests a second for each account and operation. Left out: as fast as the service answers. */
  readonly rate?: number | undefined;
  /** For one exchange. Defaults to 10 seconds. */
  readonly timeoutMs?: number;
  /** How long a row may take to show up in the export. Defaults to 5 seconds. */
  readonly settleMs?: number;
  /**
   * How many rows the largest export should have: services that export no more than a page are found by it. Left out: as many
   * as the run creates anyway. What can't be created within a few seconds is left out too.
   */
  readonly exportRows?: number;
  /** Which cases are tried. Left out: all of them. */
  readonly selection?: Selection | undefined;
  /**
   * What everything by chance follows from: the same number gives each case the same names and ids, so that in a workspace that
   * has none of them a run can be repeated. By chance itself unless given.
   */
  readonly chance?: number | undefined;
}
