import type { Config } from '../config.ts';

/** Names under which only this machine finds the server; browsers know it as `localhost`. */
const THIS_MACHINE = new Set(['0.0.0.0', '::', '127.0.0.1', '::1']);

/** Where people open the web application, such as `https://web.example.com` or `http://localhost:3000`. */
export function webOrigin({ webHost, host, port }: Pick<Config, 'webHost' | 'host' | 'port'>): string {
  if (webHost !== undefined) return `https://${webHost}`;
  const name = THIS_MACHINE.has(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The link that somebody opens to sign in. What follows `#` gets into no log. */
export function signInUrl(origin: string, workspaceId: string, token: string): string {
  return `${origin}/sign-in#${workspaceId}.${token}`;
}
