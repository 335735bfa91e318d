import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '../http/client-network.ts';
import { HEALTH_PATHS } from '../http/health.ts';
import type { Share } from '../http/request-turns.ts';
import type { ProvenCredentials } from './proven-credentials.ts';

/**
 * The share that a request counts towards before authentication: the workspace of a credential that was valid before, whose credentials
 * take turns. All other requests share one, in which networks take turns; each health check has its own.
 *
 * @param findAddress finds the address of a client
 */
export function chooseShare(
  request: IncomingMessage,
  proven: ProvenCredentials,
  findAddress: (request: IncomingMessage) => string,
): Share {
  const { headers, url } = request;
  const credential = proven.findIn(headers);
  if (credential !== undefined) return { holder: `workspace ${credential.workspaceId}`, part: credential.digest };
  const holder = HEALTH_PATHS.find((path) => path === url) ?? 'strangers';
  return { holder, part: clientNetwork(findAddress(request)) };
}
