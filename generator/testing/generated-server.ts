import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyPluginAsync } from 'fastify';
import type { AnyOptions } from '../../test/support/application.ts';
import { plan } from '../generate.ts';
import { apply } from '../output.ts';
import type { RuntimeChoice } from '../target.ts';
import { serverTarget } from '../targets/server/server-target.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** A folder outside of the repository that finds the repository's packages; gone after the test. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'branchline-generator-'));
  await symlink(join(repository, 'node_modules'), join(path, 'node_modules'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Generates a server, scaffold and all. */
export async function generateServer(spec: string, out: string, runtime?: RuntimeChoice): Promise<void> {
  const { changes } = await plan({ spec, out, targets: [serverTarget], runtime });
  await apply(out, changes);
}

/** What a generated `wiring.ts` exports, without the types that its contract gives it. */
interface Wiring {
  contract: FastifyPluginAsync<AnyOptions>;
  checkItem(name: string, item: unknown): { item: unknown } | { problem: string };
}

export async function importWiring(out: string): Promise<Wiring> {
  const wiring: Wiring = await import(join(out, 'server/generated/wiring.ts'));
  return wiring;
}
