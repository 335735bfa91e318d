import type { Target } from '../../target.ts';

/**
 * Contract tests as data: `cases.json`, requests with the answers that the contract documents for them, and
 * `contract.json`, the document that every answer is checked against. `conformance/derived` runs them against any server.
 */
export const casesTarget: Target = {
  name: 'contract',
  describe: 'contract tests as data, for any server',
  async files(contract) {
    const { makeCasesFiles } = await import('./cases-files.ts');
    return makeCasesFiles(contract);
  },
};
