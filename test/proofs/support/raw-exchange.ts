import { isEventStream } from '../../../contract/exchanges/event-stream.ts';
import { type HostileRequest, bytesOf } from './hostile-requests.ts';
import { openConnection } from './raw-client.ts';

export interface RawReply {
  status: number;
  contentType: string | undefined;
  body: string;
}

/** The longest that a client waits for an answer: far longer than any takes, so that a server that hangs is seen. */
const PATIENCE_MS = 20_000;

/**
 * Sends a request byte for byte on a connection of its own.
 *
 * @returns the answer; undefined where the connection ended without a whole one
 */
export async function exchangeRaw(origin: string, request: HostileRequest): Promise<RawReply | undefined> {
  const socket = await openConnection(origin);
  try {
    return await new Promise((resolve, reject) => {
      let received = Buffer.alloc(0);
      socket.setTimeout(PATIENCE_MS, () => reject(new Error('The server gave no answer.')));
      socket.on('close', () => resolve(undefined));
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        const reply = parseReply(received, request.method === 'HEAD');
        if (reply !== undefined) resolve(reply);
      });
      if (request.breaksOff) socket.end(bytesOf(request));
      else socket.write(bytesOf(request));
    });
  } finally {
    socket.destroy();
  }
}

/** @returns undefined as long as the answer is not whole */
function parseReply(bytes: Buffer, isHead: boolean): RawReply | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const rest = bytes.subarray(end + 4);
  const status = Number(statusLine.split(' ')[1]);
  if (status < 200) return parseReply(rest, isHead);
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.replace(/^[^:]*: */, '')]),
  );
  // Of a stream of events, which need not end, the head is all that is waited for.
  const body = isHead || isEventStream(headers.get('content-type')) ? '' : bodyOf(rest, headers);
  return body === undefined ? undefined : { status, contentType: headers.get('content-type'), body };
}

function bodyOf(bytes: Buffer, headers: ReadonlyMap<string, string>): string | undefined {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? 0);
    return bytes.length < length ? undefined : bytes.subarray(0, length).toString();
  }
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    if (lineEnd === -1 || bytes.length < lineEnd + 2 + length) return undefined;
    if (length === 0) return Buffer.concat(chunks).toString();
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
