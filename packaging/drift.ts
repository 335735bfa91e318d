import { join } from 'node:path';
import { plan } from '@branchline/generator';
import { Refusal } from './refusal.ts';

/** @throws Refusal where a generated file of the repository is not what the contract says. */
export async function refuseDrift(repository: string): Promise<void> {
  const { changes } = await plan({ spec: join(repository, 'openapi.yaml') });
  const [changed] = changes;
  if (changed === undefined) return;
  throw new Refusal(
    `${changed.path} is not what the contract says; run "branchline generate" and commit the result before you release.`,
  );
}
