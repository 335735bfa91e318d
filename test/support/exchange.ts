import { type IncomingHttpHeaders, request } from 'node:http';
import { isEventStream } from '../../contract/exchanges/event-stream.ts';

export interface Sent {
  method?: string;
  path: string;
  /** A flat list (`[name, value, name, value]`) may repeat a name. */
  headers?: Record<string, string> | string[];
  body?: string | Uint8Array;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/**
 * One request on a connection of its own, byte for byte as given. Of a stream of events, which need not end, what comes first is taken
 * for the whole.
 */
export function exchange(origin: string, { method = 'GET', path, headers = {}, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      method,
      path,
      headers: withLength(headers, hostname, body),
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      const end = () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) });
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!isEventStream(incoming.headers['content-type'])) return;
        end();
        incoming.destroy();
      });
      incoming.on('error', reject);
      incoming.on('end', end);
    });
    outgoing.end(body);
  });
}

/** Node adds neither the host nor a length to a flat list of headers. */
function withLength(headers: Record<string, string> | string[], host: string, body: string | Uint8Array | undefined) {
  const length = body === undefined ? undefined : String(Buffer.byteLength(body));
  if (Array.isArray(headers))
    return ['host', host, ...headers, ...(length === undefined ? [] : ['content-length', length])];
  return length === undefined || 'transfer-encoding' in headers ? headers : { ...headers, 'content-length': length };
}
