import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import type { Session } from '../principals.ts';

/** Adds an admin, Ada, who is signed in. */
export async function addSignedInAdmin(storage: Storage, workspaceId: string, userId = 'user-1'): Promise<Session> {
  const email = 'ada@example.com';
  const sessionHash = `session of ${userId}`;
  const expiresAt = 8.64e15;
  await ofTest(storage).write(async (tx) => {
    await tx
      .insertInto('users')
      .values({
        workspace_id: workspaceId,
        user_id: userId,
        email,
        email_key: email,
        role: 'admin',
        password_hash: null,
        created_at: 1,
        last_sign_in_at: null,
      })
      .execute();
    await tx
      .insertInto('sessions')
      .values({
        workspace_id: workspaceId,
        session_hash: sessionHash,
        user_id: userId,
        created_at: 1,
        last_used_at: 1,
        expires_at: expiresAt,
      })
      .execute();
  });
  return { workspaceId, userId, email, role: 'admin', sessionHash, expiresAt };
}
