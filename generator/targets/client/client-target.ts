import type { Target } from '../../target.ts';

/** A typed client on `fetch`, which depends on nothing. */
export const clientTarget: Target = {
  name: 'client',
  describe: 'a typed TypeScript client on fetch (client/generated/)',
  byDefault: () => false,
  async files(contract) {
    const { makeClientFiles } = await import('./client-files.ts');
    return makeClientFiles(contract);
  },
};
