import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '../http/client-network.ts';
import type { Share } from '../http/fair-queue.ts';
import { HEALTH_PATHS } from '../http/health.ts';
import type { ProvenCredentials } from './proven-credentials.ts';

/**
 * Whom a request counts for before it is authenticated: the workspace of a credential that was right before, the credentials of
 * one taking turns. All others are strangers, who count as one, their networks taking turns; so is whoever asks for the health.
 */
export function chooseShare({ headers, url, socket }: IncomingMessage, proven: ProvenCredentials): Share {
  const credential = proven.findIn(headers);
  if (credential !== undefined) return { holder: `workspace ${credential.workspaceId}`, part: credential.digest };
  const holder = HEALTH_PATHS.some((path) => path === url) ? 'health' : 'strangers';
  return { holder, part: clientNetwork(socket.remoteAddress ?? '') };
}
