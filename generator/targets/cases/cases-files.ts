import type { CaseFile, Contract } from '@branchline/contract';
import { deriveCases } from './case-file.ts';
import { makeManifest } from '../../manifest.ts';
import { printContract } from '../../contract-document.ts';
import type { GeneratedFile } from '../../target.ts';

const FOLDER = 'conformance/generated';

/** See `Target.files`. */
export async function makeCasesFiles(contract: Contract): Promise<GeneratedFile[]> {
  const files = [
    generated('cases.json', caseFileText(deriveCases(contract))),
    generated('contract.json', printContract(contract)),
  ];
  return [...files, await makeManifest(FOLDER, contract, files)];
}

function generated(name: string, text: string): GeneratedFile {
  return { path: `${FOLDER}/${name}`, text, kind: 'generated' };
}

/** One case a line, so that a change of the contract shows as lines of a diff. */
function caseFileText({ contract, bodies, cases, leftOut }: CaseFile): string {
  const named = Object.entries(bodies).map(([name, body]) => `${JSON.stringify(name)}: ${JSON.stringify(body)}`);
  return `{
  "contract": ${JSON.stringify(contract)},
  "bodies": {${lines(named)}
  },
  "cases": [${lines(cases.map((one) => JSON.stringify(one)))}
  ],
  "leftOut": [${lines(leftOut.map((one) => JSON.stringify(one)))}
  ]
}
`;
}

function lines(entries: string[]): string {
  return entries.map((entry) => `\n    ${entry}`).join(',');
}
