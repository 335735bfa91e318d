import { clientFile } from './client-file.ts';
import { manifestFile } from '../../manifest.ts';
import { templates } from '../../typescript/copied-files.ts';
import { generatedHeader, type GeneratedFile, type Target } from '../../target.ts';

const FOLDER = 'client/generated';

/** A typed client on `fetch`, which depends on nothing. */
export const clientTarget: Target = {
  name: 'client',
  describe: 'a typed TypeScript client on fetch (client/generated/)',
  byDefault: () => false,
  async files(contract) {
    // It brings a TypeScript compiler along.
    const { clientTypesFile } = await import('../../typescript/types-file.ts');
    const written: [name: string, text: string][] = [
      ['client.ts', clientFile(contract)],
      ['types.ts', await clientTypesFile(contract)],
      ...(await templates('client')),
    ];
    const files = written.map(([name, text]): GeneratedFile => ({
      path: `${FOLDER}/${name}`,
      text: `// ${generatedHeader(contract)}\n\n${text}`,
      kind: 'generated',
    }));
    return [...files, await manifestFile(FOLDER, contract, files)];
  },
};
