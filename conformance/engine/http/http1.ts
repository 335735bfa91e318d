import http, { type Agent, type ClientRequest } from 'node:http';
import https from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { Arrival } from './arrival.ts';
import type { Bounds, Outcome, Outgoing, Transport } from './client.ts';
import { type ConnectionError, explainBroken, explainUnreachable, isOtherVersion } from './connection-errors.ts';
import { lengthHeader, pairHeaders } from './headers.ts';
import { sendBody } from './send-body.ts';
import { type TlsOptions, toNodeTls } from './tls.ts';

const MAX_HEADER_BYTES = 65_536;

/** The service had closed the connection before it could see the request. */
const STALE: Outcome = { problem: 'The connection was closed.' };

/** HTTP/1.1, each exchange on a connection of its own, or on one of some that are kept. */
export class Http1Transport implements Transport {
  readonly #tls: TlsOptions | undefined;
  readonly #agents: { readonly plain: Agent; readonly secure: Agent } | undefined;

  /** @param kept - how many connections are kept. Left out: none. */
  constructor(tls: TlsOptions | undefined, kept?: number) {
    const options = { keepAlive: true, ...(kept === undefined ? {} : { maxSockets: kept }) };
    this.#tls = tls;
    this.#agents =
      kept === undefined ? undefined : { plain: new http.Agent(options), secure: new https.Agent(options) };
  }

  async send(outgoing: Outgoing, bounds: Bounds, signal?: AbortSignal): Promise<Outcome> {
    const outcome = await this.#sendOnce(outgoing, bounds, signal);
    return outcome === STALE ? new Http1Transport(this.#tls).send(outgoing, bounds, signal) : outcome;
  }

  close(): void {
    this.#agents?.plain.destroy();
    this.#agents?.secure.destroy();
  }

  async #sendOnce(outgoing: Outgoing, bounds: Bounds, signal?: AbortSignal): Promise<Outcome> {
    const arrival = new Arrival(bounds, signal);
    const request = this.#begin(outgoing);
    let isComplete = false;
    request.on('error', (error: ConnectionError) => {
      const problem = arrival.hasBegun ? undefined : explainNoConnection(error);
      // A service may close an idle connection at any time: that says nothing about this request.
      if (!arrival.hasBegun && request.reusedSocket && signal?.aborted !== true) arrival.end(STALE);
      else if (problem === undefined) arrival.fail(explainBroken(error));
      else arrival.end({ problem, unreachable: true });
    });
    // Nobody asked for it, but the socket would stay open.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      arrival.fail('The service switched to another protocol.');
    });
    request.on('response', (incoming) => {
      const { statusCode = 0, httpVersion, rawHeaders } = incoming;
      arrival.begin({ status: statusCode, httpVersion, headers: pairHeaders(rawHeaders) });
      incoming.on('data', (chunk: Buffer) => arrival.add(chunk, request.reusedSocket));
      incoming.on('error', (error) => arrival.fail(explainBroken(error)));
      incoming.on('end', () => {
        isComplete = true;
        arrival.finish(request.reusedSocket);
      });
    });
    void sendBody(request, outgoing);
    const outcome = await arrival.outcome;
    if (this.#agents === undefined || !isComplete) request.destroy();
    return outcome;
  }

  #begin(outgoing: Outgoing): ClientRequest {
    const { method, url, headers } = outgoing;
    const isSecure = url.startsWith('https:');
    const agent = isSecure ? this.#agents?.secure : this.#agents?.plain;
    const all = [
      ['host', new URL(url).host],
      ['connection', agent === undefined ? 'close' : 'keep-alive'],
      ...headers,
      ...lengthHeader(outgoing),
    ];
    const options = { method, agent: agent ?? false, maxHeaderSize: MAX_HEADER_BYTES, headers: all.flat() };
    if (!isSecure) return http.request(url, options);
    const secure: https.RequestOptions & Pick<ConnectionOptions, 'ALPNProtocols'> = {
      ...options,
      ...toNodeTls(this.#tls),
      ALPNProtocols: ['http/1.1'],
    };
    return https.request(url, secure);
  }
}

const SETTINGS_FRAME = 4;

function explainNoConnection(error: ConnectionError): string | undefined {
  const { code = '', rawPacket } = error;
  const isHttp2 = isOtherVersion(error) || (code.startsWith('HPE_') && rawPacket?.[3] === SETTINGS_FRAME);
  return isHttp2 ? 'The service speaks HTTP/2 only: --http2 tries it over that.' : explainUnreachable(error);
}
