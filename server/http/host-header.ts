import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/** RFC 9112, 3.2: a request of HTTP/1.1 has exactly one host. Node's own refusal has no body. */
export function registerHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
    const fits = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
    done(fits ? undefined : new HttpError(400, 'A request must have exactly one header "host".'));
  });
}
