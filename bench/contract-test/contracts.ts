import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, loadContract, type Operation } from '../../contract/index.ts';
import { pointerTo, valueAt } from '../../contract/pointers.ts';

/** Specs that others wrote, of services with and without credentials, flat and nested. */
export const SPECS = [
  '3.1/json/train-travel.json',
  '3.0/json/petstore.json',
  '3.0/json/petstore-expanded.json',
  '3.0/json/link-example.json',
  '3.0/json/readme-extensions.json',
];

/** A contract that documents its errors too, and the file that it stands in. */
export interface DocumentedContract {
  readonly name: string;
  readonly file: string;
  readonly contract: Contract;
}

const JSON_TYPE = 'application/json';

const ERROR = {
  description: 'What was wrong.',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
    },
  },
};

/**
 * Many specs leave out what every server answers, and a tool may well complain of that. So each operation gets the errors and the
 * success that it does not document, and takes JSON alone where it takes that: whatever is found then, is a fault of the server.
 */
export async function documentedContract(spec: string): Promise<DocumentedContract> {
  const path = createRequire(import.meta.url).resolve(`@readme/oas-examples/${spec}`);
  const { document, operations } = await loadContract(path);
  for (const { pointer, security, parameters, requestBody, responses, method } of operations) {
    const written = Object(valueAt(document, pointerTo(pointer, 'responses')));
    const isSuccessful = responses.some(({ status }) => status.startsWith('2'));
    const errors = [400, 405, ...(security.length > 0 ? [401] : []), ...(requestBody === undefined ? [] : [415])];
    if (requestBody !== undefined && JSON_TYPE in requestBody.value.content) {
      const content = Object(valueAt(document, requestBody.pointer)).content;
      for (const type of Object.keys(content)) if (type !== JSON_TYPE) delete content[type];
    }
    const isAboutOne = parameters.some(({ value }) => value.in === 'path');
    for (const status of [...errors, ...(isAboutOne ? [404] : [])]) written[status] ??= ERROR;
    if (!isSuccessful) written[method === 'delete' ? 204 : 200] = { description: 'Done.' };
    delete written['default'];
  }
  nameWhatIsThere(operations);
  const folder = mkdtempSync(join(tmpdir(), 'branchline-bench-contract-'));
  const name = spec.replace(/.*\/(.*)\.json/, '$1');
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...document, servers: undefined }));
  return { name, file, contract: await loadContract(file) };
}

/** What no operation creates can be asked for all the same: its path parameter has an example, which the server has. */
function nameWhatIsThere(operations: readonly Operation[]): void {
  for (const { path, parameters } of operations) {
    for (const { value } of parameters) {
      const end = path.indexOf(`{${value.name}}`);
      const collection = path.slice(0, end - 1);
      const isCreated = operations.some((one) => one.method === 'post' && one.path === collection);
      if (value.in !== 'path' || end < 0 || isCreated || value.example !== undefined) continue;
      value.example = Object(value.schema).type === 'integer' ? 1 : '1';
    }
  }
}
