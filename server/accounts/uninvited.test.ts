// @module-tag both-engines
import { expect } from 'vitest';
import { test } from '../maintenance/testing/stage.ts';
import { lockLiveWorkspace } from '../storage/live-workspace.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { fillWorkspace } from './testing/filled-workspace.ts';

const STRANGER = {
  issuer: 'https://id.example',
  subject: 'mallory',
  verifiedEmail: 'mallory@example.com',
  hasUnusableEmail: false,
};

test('whom the provider knows and nobody has invited is turned away without a turn among the writers of the workspace', async ({
  storage,
}) => {
  const { signIn, workspaceId } = await fillWorkspace(storage, 'team', () => 1_000);
  const entrance = { workspaceId, client: '203.0.113.1', replaces: [] };
  const refused = await ofTest(storage).write(async (tx) => {
    await lockLiveWorkspace(tx, workspaceId);
    return Promise.all(Array.from({ length: 20 }, () => signIn.withIdentity(entrance, STRANGER, 'state')));
  });
  expect(new Set(refused)).toEqual(new Set(['notInvited']));
});
