import type { Config } from './config.ts';

/** Host names that only this machine can reach; browsers use `localhost`. */
const THIS_MACHINE = new Set(['0.0.0.0', '::', '127.0.0.1', '::1']);

type WebSettings = Pick<Config, 'webHost' | 'host' | 'port'>;

/** Host of the web application, with its port if needed, such as `web.example.com` or `localhost:3000`. */
export function resolveWebHost({ webHost, host, port }: WebSettings): string {
  if (webHost !== undefined) return webHost;
  const name = THIS_MACHINE.has(host) ? 'localhost' : host;
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Origin of the web application, such as `https://web.example.com` or `http://localhost:3000`. */
export function resolveWebOrigin(settings: WebSettings): string {
  return `${settings.webHost === undefined ? 'http' : 'https'}://${resolveWebHost(settings)}`;
}
