import type { Contract } from '@branchline/contract';
import { printClient } from './client-file.ts';
import { makeManifest } from '../../manifest.ts';
import { Models } from '../../typescript/models.ts';
import { printClientTypes } from '../../typescript/types-file.ts';
import { readCopiedFiles } from '../../typescript/copied-files.ts';
import { generatedHeader, type GeneratedFile } from '../../target.ts';

const FOLDER = 'client/generated';

/** See `Target.files`. */
export async function makeClientFiles(contract: Contract): Promise<GeneratedFile[]> {
  const models = new Models(contract);
  const client = printClient(contract, models);
  const written: [name: string, text: string][] = [
    ['client.ts', client],
    ['models.ts', models.print()],
    ['types.ts', printClientTypes(contract)],
    ...(await readCopiedFiles('client')),
  ];
  const files = written.map(([name, text]): GeneratedFile => ({
    path: `${FOLDER}/${name}`,
    text: `// ${generatedHeader(contract)}\n\n${text}`,
    kind: 'generated',
  }));
  return [...files, await makeManifest(FOLDER, contract, files)];
}
