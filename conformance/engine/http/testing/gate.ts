import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import http2 from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { certificate, privateKey } from './certificate.ts';

/** Where a gate stands in front of a service. */
export interface GateOptions {
  /** Before the paths of the service. */
  prefix?: string;
  host?: string;
  tls?: boolean;
  /** HTTP/2 and nothing else. */
  isHttp2?: boolean;
}

/** Hands requests on to a service, as a proxy does. */
export interface Gate {
  baseUrl: string;
  close: () => Promise<void>;
}

export async function openGate(
  origin: string,
  { prefix = '', host = '127.0.0.1', tls = false, isHttp2 = false }: GateOptions,
): Promise<Gate> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith(`${prefix}/`) === true)
      handOn(request, response, origin + request.url.slice(prefix.length));
    else response.writeHead(404).end();
  };
  const server = isHttp2 ? createHttp2Server(tls, handle) : createHttp1Server(tls, handle);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port, family } = server.address() as AddressInfo;
  const authority = family === 'IPv6' ? `[${host}]` : host;
  return {
    baseUrl: `${tls ? 'https' : 'http'}://${authority}:${port}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const identity = { cert: certificate, key: privateKey };

function createHttp1Server(tls: boolean, handle: Handle): Server {
  return tls ? https.createServer(identity, handle) : http.createServer(handle);
}

function createHttp2Server(tls: boolean, handle: Handle): Server {
  const server = tls ? http2.createSecureServer(identity) : http2.createServer();
  return server.on('request', handle);
}

function handOn(request: IncomingMessage, response: ServerResponse, url: string): void {
  const { method } = request;
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !name.startsWith(':')));
  const onward = http.request(url, { method, headers: { ...headers, 'x-forwarded-for': '127.0.0.1' } }, (answer) => {
    const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...others } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, { ...others, via: '1.1 gate' });
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}
