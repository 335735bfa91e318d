import type { components } from '../generated/types.ts';
import type { Session } from './principals.ts';

export function sessionView({
  workspaceId,
  userId,
  email,
  role,
  expiresAt,
}: Session): components['schemas']['Session'] {
  return { workspaceId, userId, email, role, expiresDate: new Date(expiresAt).toISOString() };
}
