import type { components } from '../client/generated/types.ts';

export type Role = components['schemas']['Role'];

export const ROLE_NAMES: Readonly<Record<Role, string>> = { viewer: 'Viewer', editor: 'Editor', admin: 'Admin' };

/** A sentence for each role. */
export const ROLE_HINTS: Readonly<Record<Role, string>> = {
  viewer: 'Sees branches and what the Inspector observes.',
  editor: 'Also creates and changes branches; resolves and ignores issues.',
  admin: 'Also administers people, service accounts and API keys.',
};
