import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('Session', () => {
  it('lets a person act as themselves', async () => {
    const { cookie, userId, email } = await server.signIn('editor');
    const path = `${server.workspacePath}/branches/v1`;
    const created = await server.call({
      method: 'POST',
      path,
      as: null,
      headers: { cookie },
      json: { name: 'by-hand' },
    });
    expect(created.status).toBe(201);
    const { branches } = (await server.call({ path })).json() as { branches: unknown[] };
    expect(branches).toEqual([
      expect.objectContaining({ branchName: 'by-hand', branchCreatorId: userId, branchCreatorEmail: email }),
    ]);
  });
});
