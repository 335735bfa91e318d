import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { securityHandlers } from '../../server/accounts/authenticate.ts';
import { basic } from '../support/server.ts';
import { Caller } from './support/caller.ts';
import { type Installation, install, WORKSPACE } from './support/installation.ts';
import { median } from './support/latency.ts';
import { shareLarger } from './support/mann-whitney.ts';
import { scale } from './support/scale.ts';

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

  it(`over HTTP: of ${PAIRS}² pairs the one takes longer in 45 to 55 %`, async () => {
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
  return securityHandlers(installation.administration);
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

/** What other work on the machine makes of one measurement is not in the next; a real difference is in all. The first warms up. */
async function expectSoon(isEqual: () => Promise<boolean>): Promise<void> {
  await isEqual();
  expect((await isEqual()) || (await isEqual()), 'the times are the same, as far as can be measured').toBe(true);
}

interface Times {
  wrong: number[];
  unknown: number[];
}

/** Of each pair, sometimes the one comes first and sometimes the other. In milliseconds. */
async function measure(pair: Pair, attempt: (given: string) => Promise<void>): Promise<Times> {
  const times: Times = { wrong: [], unknown: [] };
  for (let n = 0; n < PAIRS; n += 1) {
    const order = ['wrong', 'unknown'] as const;
    for (const kind of Math.random() < 0.5 ? order : order.toReversed()) {
      const start = performance.now();
      await attempt(pair[kind]);
      times[kind].push(performance.now() - start);
    }
  }
  const microseconds = (numbers: readonly number[]) => `${(1_000 * median(numbers)).toFixed(1)} µs`;
  console.log(
    `A wrong secret takes ${microseconds(times.wrong)}, an unknown account or key ${microseconds(times.unknown)} (medians); ` +
      `a wrong secret takes longer in ${(100 * shareLarger(times.wrong, times.unknown)).toFixed(1)} % of pairs.`,
  );
  return times;
}

function requestWith(header: string, value: string): FastifyRequest {
  return {
    headers: { [header]: value },
    raw: { rawHeaders: [header, value] },
    params: { workspaceId: WORKSPACE },
  } as FastifyRequest;
}
