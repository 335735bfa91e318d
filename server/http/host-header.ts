import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.ts';

/** RFC 9112, 3.2: `uri-host [":" port]` of RFC 3986, or nothing. What stands in the brackets of an address of IPv6 is not looked at. */
const HOST = /^(?:\[[\da-f:.v]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*)(?::\d*)?$/i;

/** RFC 9112, 3.2: a request of HTTP/1.1 has exactly one host, which a name could be. Node's own refusal has no body. */
export function registerHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter(
      (_text, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host',
    );
    const [host = ''] = hosts;
    if (hosts.length > 1 || (hosts.length === 0 && raw.httpVersion !== '1.0')) {
      done(new HttpError(400, 'A request must have exactly one header "host".'));
    } else {
      done(
        HOST.test(host)
          ? undefined
          : new HttpError(400, 'The header "host" must be the name of a host, such as "example.com:443".'),
      );
    }
  });
}
