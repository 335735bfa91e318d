/** Settles when the signal is given, without a value; never where it is not. */
export function waitForAbort(signal: AbortSignal | undefined): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal?.aborted === true) resolve(undefined);
  signal?.addEventListener('abort', () => resolve(undefined), { once: true });
  return promise;
}
