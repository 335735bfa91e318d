import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bodyValue,
  type CaseFile,
  type Contract,
  documentedStatus,
  loadContract,
  schemaValidators,
} from '@branchline/contract';
import type { GeneratedFile } from '../../target.ts';
import { casesTarget } from './cases-target.ts';

const examples = createRequire(import.meta.url);
const nothingStands = async (): Promise<undefined> => undefined;
const specs = ['3.0/json/petstore.json', '3.1/json/petstore.json', '3.1/json/train-travel.json'].map((name) => ({
  name,
  file: examples.resolve(`@readme/oas-examples/${name}`),
}));

describe.each(specs)('for $name', ({ file }) => {
  let contract: Contract;
  let files: GeneratedFile[];
  let cases: CaseFile;

  beforeAll(async () => {
    contract = await loadContract(file);
    files = await casesTarget.files(contract, nothingStands);
    cases = JSON.parse(files[0]?.text ?? '') as CaseFile;
  });

  test('of three generated files, the manifest alone carries the hash', () => {
    expect(files.map(({ path, kind, text }) => [path, kind, text.includes(contract.sha256)])).toEqual([
      ['conformance/generated/cases.json', 'generated', false],
      ['conformance/generated/contract.json', 'generated', false],
      ['conformance/generated/manifest.json', 'generated', true],
    ]);
  });

  test('the same contract gives the same bytes', async () => {
    expect(await casesTarget.files(await loadContract(file), nothingStands)).toEqual(files);
  });

  test('each case stands on its own line under an id of its own', () => {
    const lines = files[0]?.text.split('\n') ?? [];
    const ids = cases.cases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids)
      expect(lines.filter((line) => line.startsWith(`    {"id":${JSON.stringify(id)},`))).toHaveLength(1);
  });

  test('each operation has cases, or a reason', () => {
    const covered = new Set([...cases.cases, ...cases.leftOut].map(({ operationId }) => operationId));
    expect(contract.operations.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });

  test('no status is expected that the contract does not document', () => {
    for (const one of cases.cases) {
      const responses = contract.operations.find(({ id }) => id === one.operationId)?.responses ?? [];
      const documented = Object.fromEntries(responses.map(({ status, value }) => [status, value]));
      for (const status of one.expect.statuses) {
        expect(documentedStatus(documented, Number(String(status).replace('XX', '00'))), one.id).toBeDefined();
      }
      expect(one.level, one.id).toBe(one.expect.statuses.length === 0 ? 'observed' : 'required');
    }
  });

  test('a case about its body has a body that is valid exactly if it is to be accepted', () => {
    const validators = schemaValidators(contract.document);
    const judged = cases.cases.filter(
      ({ varies, request }) => varies.in === 'body' && varies.at !== undefined && request.body,
    );
    for (const one of judged) {
      const operation = contract.operations.find(({ id }) => id === one.operationId);
      const media = one.request.contentType?.replace(/;.*/, '').replaceAll('/', '~1');
      const validate = validators(`${operation?.requestBody?.pointer}/content/${media}/schema`);
      const valid = validate(bodyValue(one.request.body, cases.bodies));
      expect(valid, one.id).toBe(one.title.startsWith('Accepts'));
    }
    expect(judged.length).toBeGreaterThan(50);
  });
});

test('the document is written whole, with where it comes from', async () => {
  const { file } = specs.at(-1) ?? { file: '' };
  const contract = await loadContract(file);
  const [, document] = await casesTarget.files(contract, nothingStands);
  const written = JSON.parse(document?.text ?? '');
  expect(written['x-branchline-generated']).toContain('from train-travel.json');
  expect(written).toMatchObject(JSON.parse(await readFile(file, 'utf8')));
});
