import type { CustomFetchOptions } from 'openid-client';
import { ProviderFailure } from './provider-failure.ts';

/** The metadata and keys of the largest providers are a tenth of this size. */
const MOST_BYTES = 512 * 1_024;

/**
 * `fetch` that reads the whole answer, so that the signal covers it, up to 512 KiB.
 *
 * @throws ProviderFailure if the answer is larger
 */
export async function boundedFetch(url: string, options: CustomFetchOptions): Promise<Response> {
  const { body, status, headers } = await fetch(url, { ...options, body: options.body ?? null });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new ProviderFailure(`its answer is larger than ${MOST_BYTES / 1_024} KiB`);
    chunks.push(chunk);
  }
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, headers });
}
