import { signal } from '@preact/signals';
import type { components } from './generated/types.ts';

export type Session = components['schemas']['Session'];

/** Of whom the page is, as far as it knows by now. */
export const session = signal<Session | undefined>(undefined);

/** Whether the server has said meanwhile that the session is over. */
export const sessionEnded = signal(false);

/** How often a session began on this page; whatever could not be read without one is read again. */
export const sessionsBegun = signal(0);

/** The tabs of this browser, which share its sessions. */
const tabs = new BroadcastChannel('branchline-sessions');

tabs.addEventListener('message', ({ data }: MessageEvent<Session>) => {
  if (sessionEnded.value && session.value?.workspaceId === data.workspaceId) take(data);
});

export function beginSession(begun: Session): void {
  take(begun);
  tabs.postMessage(begun);
}

function take(begun: Session): void {
  session.value = begun;
  sessionEnded.value = false;
  sessionsBegun.value += 1;
}

/** Whether the role of whoever is signed in allows what takes this one. */
export function allows(least: Session['role']): boolean {
  const roles = ['viewer', 'editor', 'admin'];
  return session.value !== undefined && roles.indexOf(session.value.role) >= roles.indexOf(least);
}
