import { printClient } from './client-file.ts';
import { makeManifest } from '../../manifest.ts';
import { readCopiedFiles } from '../../typescript/copied-files.ts';
import { generatedHeader, type GeneratedFile, type Target } from '../../target.ts';

const FOLDER = 'client/generated';

/** A typed client on `fetch`, which depends on nothing. */
export const clientTarget: Target = {
  name: 'client',
  describe: 'a typed TypeScript client on fetch (client/generated/)',
  byDefault: () => false,
  async files(contract) {
    // It brings a TypeScript compiler along.
    const { printClientTypes } = await import('../../typescript/types-file.ts');
    const written: [name: string, text: string][] = [
      ['client.ts', printClient(contract)],
      ['types.ts', await printClientTypes(contract)],
      ...(await readCopiedFiles('client')),
    ];
    const files = written.map(([name, text]): GeneratedFile => ({
      path: `${FOLDER}/${name}`,
      text: `// ${generatedHeader(contract)}\n\n${text}`,
      kind: 'generated',
    }));
    return [...files, await makeManifest(FOLDER, contract, files)];
  },
};
