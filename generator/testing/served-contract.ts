import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Contract, loadContract } from '@branchline/contract';
import { contractPlugin, contractSchemas } from '@branchline/runtime';
import { type AnyOptions, type AnyRequest, appWith } from '../../test/support/application.ts';
import { planReplies } from '../targets/server/replies-file.ts';
import { selectSchemas } from '../targets/server/schemas-file.ts';
import { planOperation } from '../typescript/operation-plan.ts';

/** The contract of a document: as text, or as a value that is written as JSON. */
export async function contractFrom(document: string | object): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-contract-'));
  try {
    const file = join(folder, typeof document === 'string' ? 'spec.yaml' : 'spec.json');
    await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document));
    return await loadContract(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Serves a document as a generated server does; each handler echoes its request, unless it is given. */
export async function serveDocument(
  document: string | object,
  { handlers, ...options }: Partial<AnyOptions> = {},
): Promise<FastifyInstance> {
  const contract = await contractFrom(document);
  const operations = contract.operations.map((operation) => planOperation(contract, operation));
  const echo = ({ params, query, headers, cookies, body }: AnyRequest) => ({
    status: 200,
    type: 'application/json',
    body: { params, query, headers, cookies, body },
  });
  const echoes = Object.fromEntries(operations.map(({ id }) => [id, echo]));
  const plugin = contractPlugin<AnyOptions>(
    operations,
    contractSchemas(selectSchemas(contract, operations)),
    async () => ({ default: planReplies(contract) }),
  );
  return appWith(plugin, {
    securityHandlers: {},
    replies: 'off',
    ...options,
    handlers: { ...echoes, ...handlers },
  });
}
