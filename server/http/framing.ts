import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/**
 * RFC 9112, 6.1: `chunked` is the only transfer coding that this server supports, exactly once per request. Node also accepts
 * `identity, chunked` and `gzip, chunked`, in one header or in two; if a proxy in front reads these differently, a
 * second request could be smuggled in the body of the first.
 *
 * A request may offer another protocol (RFC 9110, 7.8), which this server never takes up. Node then throws away what came right
 * behind that request, so a client could take the answer to a later one for that to one that was lost: the connection ends instead.
 */
export function registerFramingCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (raw.headers.upgrade !== undefined) reply.header('connection', 'close');
    // Node joins repeated headers with a comma.
    const coding = raw.headers['transfer-encoding'];
    done(coding === undefined ? undefined : refuseCoding(coding, raw.httpVersion));
  });
}

function refuseCoding(coding: string, httpVersion: string): HttpError | undefined {
  if (httpVersion === '1.0') return refuse(400, 'A request of HTTP/1.0 can not have the header "transfer-encoding".');
  if (coding.toLowerCase() === 'chunked') return undefined;
  return refuse(501, 'The only transfer encoding that this server knows is chunked, named once.');
}

/** The rest of the connection might be meant as another request. */
function refuse(status: number, sentence: string): HttpError {
  return new HttpError(status, sentence, { connection: 'close' });
}
