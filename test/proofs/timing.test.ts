import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { securityHandlers } from '../../server/accounts/authenticate.ts';
import { ProvenCredentials } from '../../server/accounts/proven-credentials.ts';
import { basic } from '../support/server.ts';
import { Caller } from './support/caller.ts';
import { type Installation, install, WORKSPACE } from './support/installation.ts';
import { median } from './support/latency.ts';
import { shareLarger } from './support/mann-whitney.ts';
import { scale } from './support/scale.ts';
import { expectSoon, timesInTurns } from './support/times.ts';

const PAIRS = scale({ usual: 3_000, full: 20_000 });

/** The same wrong secret, of somebody who is known and of somebody who is not. */
interface Pair {
  wrong: string;
  unknown: string;
}

let installation: Installation;
let accounts: Pair;
let keys: Pair;
beforeAll(async () => {
  installation = await install();
  const { authorization, apiKey } = installation.access;
  const [name = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
  const secret = 'x'.repeat(43);
  accounts = { wrong: basic({ name, secret }), unknown: basic({ name: name.replace(/.{8}$/, 'aaaaaaaa'), secret }) };
  const wrong = apiKey.replace(/[^.]+$/, secret);
  keys = { wrong, unknown: wrong.replace(/[^.]{8}\.x/, 'aaaaaaaa.x') };
});
afterAll(() => installation.remove());

describe('a wrong secret and an unknown account can not be told apart by the time that they take', () => {
  it(`within the server: the medians of ${PAIRS} differ by 1 µs or 1.5 % at most`, async () => {
    const { serviceAccount } = handlers();
    await expectEqualMedians(accounts, (given) => serviceAccount(requestWith('authorization', given), []));
  });

  it(`nor an unknown API key: the medians of ${PAIRS} differ by 1 µs or 1.5 % at most`, async () => {
    const { apiKey } = handlers();
    await expectEqualMedians(keys, (given) => apiKey(requestWith('api-key', given), []));
  });

  it(`over HTTP: of ${PAIRS}² pairs the one takes longer in 45 to 55 %`, { timeout: 180_000 }, async () => {
    const server = await installation.start();
    const callers = new Map(
      Object.values(accounts).map((authorization) => [
        authorization,
        new Caller(server.origin, { ...installation.access, authorization }, 1),
      ]),
    );
    const attempt = async (authorization: string) => {
      expect((await callers.get(authorization)?.observed('x'))?.status).toBe(401);
    };
    await expectSoon(async () => {
      const { wrong, unknown } = await measure(accounts, attempt);
      return Math.abs(shareLarger(wrong, unknown) - 0.5) <= 0.05;
    });
    for (const caller of callers.values()) await caller.close();
  });
});

function handlers() {
  const uncounted = { countRequest: () => {}, countKeyRequest: () => {} };
  return securityHandlers(installation.administration, new ProvenCredentials(), uncounted);
}

async function expectEqualMedians(pair: Pair, authenticate: (given: string) => unknown): Promise<void> {
  const refused = (given: string) => expect(authenticate(given)).rejects.toMatchObject({ statusCode: 401 });
  await refused(pair.wrong);
  await refused(pair.unknown);
  const attempt = async (given: string) => {
    await Promise.resolve(authenticate(given)).catch(() => {});
  };
  await expectSoon(async () => {
    const { wrong, unknown } = await measure(pair, attempt);
    return Math.abs(median(wrong) - median(unknown)) <= Math.max(0.001, 0.015 * median(unknown));
  });
}

/** In milliseconds. */
function measure(pair: Pair, attempt: (given: string) => Promise<void>): Promise<Record<keyof Pair, number[]>> {
  return timesInTurns(['wrong', 'unknown'], PAIRS, (kind) => attempt(pair[kind]));
}

function requestWith(header: string, value: string): FastifyRequest {
  return {
    headers: { [header]: value },
    raw: { rawHeaders: [header, value] },
    params: { workspaceId: WORKSPACE },
  } as FastifyRequest;
}
