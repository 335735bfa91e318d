import { clientFile } from '../client/client-file.ts';
import { templates } from '../server/templates.ts';
import { generatedHeader, type Target } from '../target.ts';

/** A typed client on `fetch`, which depends on nothing. */
export const clientTarget: Target = {
  name: 'client',
  describe: 'a typed TypeScript client on fetch (client/generated/)',
  byDefault: () => false,
  async files(contract) {
    // It brings a TypeScript compiler along.
    const { clientTypesFile } = await import('../server/types-file.ts');
    const files: [name: string, text: string][] = [
      ['client.ts', clientFile(contract)],
      ['types.ts', await clientTypesFile(contract)],
      ...(await templates('client')),
    ];
    return files.map(([name, text]) => ({
      path: `client/generated/${name}`,
      text: `// ${generatedHeader(contract)}\n\n${text}`,
      kind: 'generated',
    }));
  },
};
