import { signal } from '@preact/signals';
import type { components } from './generated/types.ts';

export type Session = components['schemas']['Session'];

/** The session of the page, once known. */
export const session = signal<Session | undefined>(undefined);

/** Whether the server has reported that the session has ended. */
export const sessionEnded = signal(false);

/** The number of sessions started on this page; each start repeats the reads that failed without one. */
export const sessionsBegun = signal(0);

/** Connects the tabs of this browser, which share its sessions. */
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

/** Whether the signed-in person's role includes this one. */
export function allows(least: Session['role']): boolean {
  const roles = ['viewer', 'editor', 'admin'];
  return session.value !== undefined && roles.indexOf(session.value.role) >= roles.indexOf(least);
}
