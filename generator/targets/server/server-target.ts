import type { Target } from '../../target.ts';

/** A typed Fastify server: types, handler interfaces and the wiring; and stubs to begin with. */
export const serverTarget: Target = {
  name: 'server',
  describe: 'typed Fastify handlers and the wiring that checks every request (server/generated/)',
  async files(...given) {
    const { makeServerFiles } = await import('./server-files.ts');
    return makeServerFiles(...given);
  },
};
