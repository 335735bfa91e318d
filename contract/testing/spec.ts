import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../contract.ts';
import { loadContract } from '../load.ts';

/** How a spec of version 3.1 begins. */
export const head = `openapi: 3.1.0
info: { title: Test, version: '1' }
`;

/** What an operation needs at least. */
export const ok = "responses: { '200': { description: OK } }";

/** Loads a spec from a file of this name, refusing also what is otherwise mended. */
export async function loadText(text: string, name = 'spec.yaml'): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-spec-'));
  try {
    const file = join(folder, name);
    await writeFile(file, text);
    return await loadContract(file, { strict: true });
  } finally {
    await rm(folder, { recursive: true });
  }
}
