import { expect, test } from 'vitest';
import { planOperation } from '../../typescript/operation-plan.ts';
import { contractFrom } from '../../testing/served-contract.ts';
import { selectSchemas } from './schemas-file.ts';
import { checkServable } from './servability.ts';

const spec = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      parameters:
        - { name: fine, in: query, schema: { type: string } }
        - name: broken
          in: query
          schema:
            $async: true
            properties: { a: { $ref: '#/components/schemas/Named' } }
      responses: { '200': { description: OK } }
components:
  schemas:
    Named: { type: object, dependentRequired: { a: [b] }, multipleOf: 2 }
    Unused: { type: string }
`;

test('what the server could not compile when it starts is refused by line', async () => {
  const contract = await contractFrom(spec);
  const operations = contract.operations.map((operation) => planOperation(contract, operation));
  const schemas = selectSchemas(contract, operations);
  await expect(checkServable(contract, operations, schemas)).rejects.toThrow(
    /^spec\.yaml:11:11  Values can't be checked by this schema: .+\.$/,
  );
});

test('the server is handed the schemas that it needs, and no more', async () => {
  const contract = await contractFrom(spec);
  const operations = contract.operations.map((operation) => planOperation(contract, operation));
  expect(selectSchemas(contract, operations)).toEqual({
    components: { schemas: { Named: { type: 'object', dependentRequired: { a: ['b'] }, multipleOf: 2 } } },
    paths: {
      '/a': {
        get: {
          parameters: {
            0: { schema: { type: 'string' } },
            1: {
              schema: {
                $async: true,
                properties: { a: { $ref: '#/components/schemas/Named' } },
              },
            },
          },
        },
      },
    },
  });
});
