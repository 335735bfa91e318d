import type { Case, HttpResponse } from '@branchline/contract';

/** What was sent and what came, fit to be shown: credentials are replaced, bodies are text of at most 4,096 characters. */
export interface ShownExchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string | undefined };
  response?: { status: number; headers: HttpResponse['headers']; body: string };
}

/** A case that was sent. */
export interface Judged {
  case: Case;
  exchange: ShownExchange;
  milliseconds: number;
}

/**
 * What became of one case.
 *
 * - `pass`, `fail`: judged; `problems` are sentences.
 * - `observed`: sent, but the contract documents no answer; `saw` says what came.
 * - `skip`: not sent, and why.
 * - `error`: the run itself could not go on with this case (server unreachable, a prepare hook threw).
 */
export type Result =
  | (Judged & { state: 'pass' })
  | (Judged & { state: 'fail'; problems: string[] })
  | (Judged & { state: 'observed'; saw: string })
  | { state: 'skip'; case: Case; reason: string }
  | { state: 'error'; case: Case; reason: string };
