import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate, privateKey } from './certificate.ts';

/** Where a gate stands in front of a service. */
export interface GateOptions {
  /** Before the paths of the service. */
  prefix?: string;
  host?: string;
  tls?: boolean;
}

/** Hands requests on to a service, as a proxy does. */
export interface Gate {
  baseUrl: string;
  close: () => Promise<void>;
}

export async function openGate(
  origin: string,
  { prefix = '', host = '127.0.0.1', tls = false }: GateOptions,
): Promise<Gate> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith(`${prefix}/`) === true)
      handOn(request, response, origin + request.url.slice(prefix.length));
    else response.writeHead(404).end();
  };
  const server = tls ? https.createServer({ cert: certificate, key: privateKey }, handle) : http.createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port, family } = server.address() as AddressInfo;
  const authority = family === 'IPv6' ? `[${host}]` : host;
  return {
    baseUrl: `${tls ? 'https' : 'http'}://${authority}:${port}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function handOn(request: IncomingMessage, response: ServerResponse, url: string): void {
  const { method, headers } = request;
  const onward = http.request(url, { method, headers: { ...headers, 'x-forwarded-for': '127.0.0.1' } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, via: '1.1 gate' });
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}
