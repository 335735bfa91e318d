import { useEffect } from 'preact/hooks';
import { paths } from '../navigation/paths.ts';
import { go, place } from '../navigation/place.ts';
import { api } from './api.ts';
import type { Problem } from './problem.ts';
import { succeed } from './problem.ts';
import { useReading } from './reading.ts';
import { session, type Session } from './sessions.ts';

/** The person signed in to a workspace. If there is none, opens the sign-in page, which returns here. */
export function useWorkspaceSession(workspaceId: string): {
  current: Session | undefined;
  problem: Problem | undefined;
} {
  const { content, problem } = useReading(workspaceId, async (signal) => {
    return (await succeed(api.getSession({ params: { workspaceId } }, { signal }))).body;
  });
  useEffect(() => {
    if (content !== undefined) session.value = content;
  }, [content]);
  const known = session.value?.workspaceId === workspaceId ? session.value : undefined;
  const isSignedOut = known === undefined && problem?.status === 401;
  useEffect(() => {
    if (!isSignedOut) return;
    const { path, query } = place.value;
    go(paths.signIn(workspaceId, query.size === 0 ? path : `${path}?${query}`), { replace: true });
  }, [isSignedOut]);
  return { current: known, problem: isSignedOut ? undefined : problem };
}
