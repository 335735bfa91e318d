import { onTestFinished, vi } from 'vitest';
import { presentHolder } from '../../server/storage/holder.ts';
import { countFulfilled } from './count-fulfilled.ts';
import type { TestServer } from './server.ts';

/** Holds up all that a server writes for a workspace, until it is opened or the test has ended. */
export function holdWriters({ administration: { storage } }: Pick<TestServer, 'administration'>, workspaceId: string) {
  const gate = Promise.withResolvers<void>();
  const write = storage.write.bind(storage);
  const held = vi.fn<() => Promise<void>>(() => gate.promise);
  const written = vi.fn(write);
  const spy = vi.spyOn(storage, 'write').mockImplementation(async (work) => {
    if (presentHolder() !== workspaceId) return write(work);
    await held();
    return written(work);
  });
  onTestFinished(() => {
    gate.resolve();
    spy.mockRestore();
  });
  return {
    held: () => held.mock.calls.length,
    written: () => countFulfilled(written),
    open: () => gate.resolve(),
  };
}
