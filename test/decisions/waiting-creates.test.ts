// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SCOPES } from '../../server/accounts/principals.ts';
import { GroupCommit } from '../../server/storage/group-commit.ts';
import { expectError } from '../support/expect-error.ts';
import { holdWriters } from '../support/hold-writers.ts';
import { type Answer, type Credentials, startTestServer, type TestServer } from '../support/server.ts';

const TOO_MUCH = 'The service has more to store than it can now. Try again in a moment.';

/** What one workspace may have of the 5,000 that wait: no more than it leaves. */
const SHARE = 2_500;

/** So many connections begin at a time, fewer than a listener lets wait. */
const AT_A_TIME = 250;

const FURTHER = 10;

let server: TestServer;
let other: Credentials;

beforeAll(async () => {
  // All come from one network, which may have a quarter of the connections.
  server = await startTestServer({ maxConnections: 4 * 2 * SHARE });
  await server.administration.workspaces.create('other');
  other = await server.createAccount(SCOPES, 'other');
});
afterAll(() => server.close());

/** Counts what was to be stored together with others, and what of it was refused, which it is at once. */
function watchSubmitted() {
  const submit = vi.spyOn(GroupCommit.prototype, 'submit');
  onTestFinished(() => submit.mockRestore());
  return {
    all: () => submit.mock.calls.length,
    refused: () => submit.mock.settledResults.filter(({ type }) => type === 'rejected').length,
  };
}

function create(name: string, workspaceId = server.workspaceId, as = server.account): Promise<Answer> {
  return server.call({ method: 'POST', path: `/workspaces/${workspaceId}/branches/v1`, as, json: { name } });
}

describe('Branches that wait to be created', () => {
  it('are so many of a workspace at most; further ones are 503, and those of another workspace are not', async () => {
    const writers = holdWriters(server, server.workspaceId);
    const submitted = watchSubmitted();
    const taken: Promise<Answer>[] = [];
    const takeUpTo = async (count: number) => {
      while (taken.length < count) taken.push(create(`taken-${taken.length}`));
      await expect.poll(submitted.all).toBe(count);
    };
    // The first one is being written, and waits no more.
    await takeUpTo(1);
    await expect.poll(writers.held).toBe(1);
    for (let waiting = AT_A_TIME; waiting <= SHARE; waiting += AT_A_TIME) await takeUpTo(1 + waiting);
    expect(submitted.refused()).toBe(0);
    const further = Array.from({ length: FURTHER }, (_, index) => create(`further-${index}`));
    const beside = create('beside', 'other', other);
    await expect.poll(submitted.all).toBe(taken.length + FURTHER + 1);
    expect(submitted.refused()).toBe(FURTHER);
    for (const answer of await Promise.all(further)) {
      expectError(answer, 503, TOO_MUCH);
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect(writers.held()).toBe(1);
    writers.open();
    const statuses = (await Promise.all([...taken, beside])).map(({ status }) => status);
    expect(statuses).toEqual(Array.from(statuses, () => 201));
    expect((await create('afterwards')).status).toBe(201);
  });
});
