import { MOST_BYTES, readBytes, UserError } from '@branchline/command-line';

/** A document as it came over HTTP. */
export interface Remote {
  bytes: Buffer;
  /** Where it came from in the end: what is in it is relative to that. */
  url: string;
}

export interface RemoteOptions {
  /** Whether redirects may lead to another origin. */
  elsewhere: boolean;
  /** For tests. */
  limits?: RemoteLimits;
}

interface RemoteLimits {
  bytes: number;
  seconds: number;
}

const LIMITS: RemoteLimits = { bytes: MOST_BYTES, seconds: 60 };
const MOST_REDIRECTS = 5;

/**
 * Fetches a document. It may be redirected, never from HTTPS to HTTP.
 *
 * @throws UserError where there is none, or it is too large or too slow
 */
export async function readRemote(url: string, { elsewhere, limits = LIMITS }: RemoteOptions): Promise<Remote> {
  const over = AbortSignal.timeout(limits.seconds * 1_000);
  try {
    let here = new URL(url);
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      const response = await fetch(here, { redirect: 'manual', signal: over, headers: { accept: '*/*' } });
      const next = readRedirect(here, response);
      if (next === undefined) return { bytes: await readBytes(response.body ?? [], limits.bytes), url: here.href };
      await response.body?.cancel();
      if (next.protocol !== here.protocol && next.protocol !== 'https:')
        throw new UserError(`It is redirected to ${next.href}, which is not HTTPS.`);
      if (!elsewhere && next.origin !== here.origin)
        throw new UserError(`It is redirected to ${next.href}, which is on another server.`);
      here = next;
    }
    throw new UserError(`It is redirected more than ${MOST_REDIRECTS} times.`);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (over.aborted) throw new UserError(`The server took more than ${limits.seconds} seconds.`, { cause: error });
    throw new UserError(`The server can't be reached, or gives no whole answer (${explain(error)}).`, { cause: error });
  }
}

function readRedirect(here: URL, response: Response): URL | undefined {
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null) return new URL(location, here);
  if (response.status === 200) return undefined;
  throw new UserError(`The server answered ${response.status}.`);
}

function explain(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && cause.code !== undefined ? String(cause.code) : cause.message;
}
