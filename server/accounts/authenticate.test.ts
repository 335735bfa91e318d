import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { presentHolder } from '../storage/holder.ts';
import { type Authorities, securityHandlers } from './authenticate.ts';
import { ProvenCredentials } from './proven-credentials.ts';

/** Whom each look-up of a service account counted for. Only the account `ci` with the secret `right` exists. */
function observed() {
  const holders: string[] = [];
  const accounts = {
    async authenticate(_workspaceId: string, name: string, secret: string) {
      holders.push(presentHolder());
      return name === 'ci' && secret === 'right' ? { workspaceId: 'shop', name, scopes: [] } : undefined;
    },
  };
  const uncounted = { countRequest: () => {}, countKeyRequest: () => {} };
  const handlers = securityHandlers({ accounts } as unknown as Authorities, new ProvenCredentials(), uncounted);
  const lookUp = async (credentials: string) => {
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    const request = { params: {}, headers: { authorization }, raw: { rawHeaders: ['authorization', authorization] } };
    await Promise.resolve(handlers.serviceAccount(request as unknown as FastifyRequest, [])).catch(() => {});
  };
  return { holders, lookUp };
}

it('looks credentials up for their workspace once they were right, and all others for one', async () => {
  const { holders, lookUp } = observed();
  for (const credentials of ['ci:wrong', 'guess-1:x', 'ci:right', 'ci:wrong', 'ci:right', 'guess-1:x', 'guess-2:x']) {
    await lookUp(credentials);
  }
  const stranger = '#strangers with credentials';
  expect(holders).toEqual([stranger, stranger, stranger, stranger, '#known shop', stranger, stranger]);
});
