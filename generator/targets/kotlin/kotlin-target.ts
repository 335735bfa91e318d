import { asksForInspector } from './asks-for-inspector.ts';
import type { Target } from '../../target.ts';

/**
 * Kotlin Multiplatform: of a contract with `x-branchline-inspector` the generated part of the Inspector library, of any other
 * a client. Java starts only when what stands was made from something else, or has been changed.
 */
export const kotlinTarget: Target = {
  name: 'kotlin',
  describe: 'Kotlin Multiplatform: the Inspector library, or a client (kotlin-client/)',
  byDefault: asksForInspector,
  async files(contract, standing) {
    const { makeKotlinFiles } = await import('./kotlin-files.ts');
    return makeKotlinFiles(contract, standing);
  },
};
