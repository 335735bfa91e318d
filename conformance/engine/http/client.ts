/** An outgoing request. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly [string, string][];
  readonly body?: string | Uint8Array;
  /** The body goes out in two parts, with a pause between. */
  readonly isInParts?: boolean | undefined;
}

/** What comes before the body of an answer. */
export interface Head {
  readonly status: number;
  readonly httpVersion: string;
  /** Names in lower case. */
  readonly headers: [string, string][];
}

/** An answer, or as much of it as came. */
export interface Answer extends Head {
  /** Decompressed, should the service have compressed it although it was asked not to. */
  readonly body: Buffer;
  readonly milliseconds: number;
  /** The connection had served another exchange before. */
  readonly isReused?: boolean;
}

/** What came of a request, whatever the service did. */
export interface Outcome {
  /** Whole, unless there is a problem. */
  readonly answer?: Answer;
  /** What kept a whole answer from arriving, as a sentence. */
  readonly problem?: string;
  /** There was no connection at all. */
  readonly unreachable?: boolean;
  readonly startedAt?: Date;
}

/** The most that one exchange may cost. */
export interface Bounds {
  /** From its begin to its end. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

/** What carries requests to a service. */
export interface Transport {
  /**
   * Sends one request and reads the answer, within bounds. Never throws for what a service does.
   *
   * @param signal - ends the exchange.
   */
  send(outgoing: Outgoing, bounds: Bounds, signal?: AbortSignal): Promise<Outcome>;
  /** Closes the connections that are kept. */
  close(): void;
}

const MAX_REDIRECTS = 3;

/**
 * Sends one request and reads the whole answer; of a stream of events, which need not end, what comes first. Redirects are
 * followed as clients do, but to no other origin, which must not see credentials. Never throws for what a service does.
 *
 * @param signal - ends the exchange.
 */
export async function exchange(
  outgoing: Outgoing,
  bounds: Bounds,
  transport: Transport,
  signal?: AbortSignal,
): Promise<Outcome> {
  let outcome = await transport.send(outgoing, bounds, signal);
  let url: string | undefined = outgoing.url;
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
    url = findRedirect(outgoing.method, url, outcome);
    if (url === undefined) return outcome;
    outcome = await transport.send({ ...outgoing, url }, bounds, signal);
  }
  return outcome;
}

/** Where the same request is to be sent again (RFC 9110, 15.4). */
function findRedirect(method: string, from: string, { answer, problem }: Outcome): string | undefined {
  const location = answer === undefined || problem !== undefined ? undefined : findHeader(answer, 'location');
  const isKept = answer?.status === 307 || answer?.status === 308;
  const isRepeated = method === 'GET' && (answer?.status === 301 || answer?.status === 302);
  if (location === undefined || !(isKept || isRepeated) || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  return to.origin === new URL(from).origin ? to.href : undefined;
}

/** The first value of a header. */
export function findHeader({ headers }: { headers: readonly [string, string][] }, wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1];
}
