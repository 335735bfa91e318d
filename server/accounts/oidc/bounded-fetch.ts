import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { CustomFetchOptions } from 'openid-client';
import { ProviderFailure } from './provider-failure.ts';

/** The metadata and keys of the largest providers are a tenth of this size. */
const MOST_BYTES = 512 * 1_024;

type BoundedFetch = (url: string, options: CustomFetchOptions) => Promise<Response>;

/**
 * Makes a `fetch` that reads the whole answer, so that the signal covers it, up to 512 KiB, and follows no redirects. It throws
 * ProviderFailure if the answer is larger.
 *
 * @param lookup finds the addresses of names, which the `fetch` of Node leaves to nobody else
 */
export function createBoundedFetch(lookup: LookupFunction): BoundedFetch {
  return async (url, { method, headers, body, signal }) => {
    try {
      const sent = Buffer.from(await new Response(body).arrayBuffer());
      return await readAnswer(await ask(new URL(url), { method, headers, lookup, signal }, sent));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProviderFailure) throw error;
      // As `fetch` fails.
      throw new TypeError('fetch failed', { cause: error });
    }
  };
}

interface Asked {
  method: string;
  headers: Record<string, string>;
  lookup: LookupFunction;
  signal: AbortSignal | undefined;
}

function ask(url: URL, options: Asked, body: Buffer): Promise<IncomingMessage> {
  // An import of the module would also load its lazy exports, and slow the start.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  return new Promise((resolve, reject) => {
    request(url, options, resolve)
      .on('error', reject)
      // Where nobody listens, Node drops the connection, and neither answers nor fails.
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        reject(new ProviderFailure(`it changes to another protocol (${statusCode})`));
      })
      // Whatever else may happen, it is not waited for any longer.
      .on('close', () => reject(new Error('The connection was closed.')))
      .end(body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new ProviderFailure(`its answer is larger than ${MOST_BYTES / 1_024} KiB`);
    chunks.push(chunk);
  }
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status: answer.statusCode ?? 0, headers });
}
