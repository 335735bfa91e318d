import { signal } from '@preact/signals';
import type { components } from './generated/types.ts';

export type Session = components['schemas']['Session'];

/** Of whom the page is, as far as it knows by now. */
export const session = signal<Session | undefined>(undefined);

/** Whether the server has said meanwhile that the session is over. */
export const sessionEnded = signal(false);

/** How often a session began on this page; whatever could not be read without one is read again. */
export const sessionsBegun = signal(0);

export function beginSession(begun: Session): void {
  session.value = begun;
  sessionEnded.value = false;
  sessionsBegun.value += 1;
}

/** Whether the role of whoever is signed in allows what takes this one. */
export function allows(least: Session['role']): boolean {
  const roles = ['viewer', 'editor', 'admin'];
  return session.value !== undefined && roles.indexOf(session.value.role) >= roles.indexOf(least);
}
