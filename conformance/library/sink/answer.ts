/** What the sink does with a request that carries something. */
export type Answer = Taken | Refused | Redirected | Broken;

/** 200 with a receipt. */
export interface Taken {
  readonly kind: 'taken';
  /** How many events, from the first on, are rejected. */
  readonly rejecting?: number;
  /** Every shape that came before is forgotten, so that the schemas are asked for of events that have its id. */
  readonly forgetting?: boolean;
  readonly samplingRate?: number;
  /** How long the answer lets wait for itself. */
  readonly afterSeconds?: number;
  /** What it waits for. */
  readonly held?: Promise<void>;
  /** Breaks the connection in the middle of the receipt. */
  readonly truncated?: boolean;
}

/** An error status. */
export interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  readonly retryAfter?: { readonly form: 'seconds' | 'date'; readonly seconds: number };
}

/** To the sink's other port, which must never see the key. */
export interface Redirected {
  readonly kind: 'redirected';
  readonly status: 307;
}

/** A connection that is reset instead of answered. */
export interface Broken {
  readonly kind: 'reset';
}

export const TAKEN: Answer = { kind: 'taken' };

/** Whether the client heard, with its receipt, that the batch was taken. */
export function isReceipt(answer: Answer): answer is Taken {
  return answer.kind === 'taken' && answer.truncated !== true;
}

/** Whether the same request may succeed later. */
export function isPassing(answer: Answer): boolean {
  if (answer.kind === 'refused') return answer.status === 429 || answer.status >= 500;
  return answer.kind === 'reset' || (answer.kind === 'taken' && answer.truncated === true);
}
