import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../contract.ts';
import { loadContract } from '../load.ts';
import { valueAt } from '../pointers.ts';
import { SpecError } from '../spec-error.ts';

export { head, ok } from './spec.ts';

/** How a spec of 3.0 with one schema begins. */
export const old = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths: {}
components:
  schemas:
    A: `;

/** How one of 3.1 with one schema begins. */
export const schema = `openapi: 3.1.0
info: { title: Test, version: '1' }
paths: {}
components:
  schemas:
    A: `;

/** A spec with a fault, where it is warned of (`line:column`), and what stands at some pointers once it is mended. */
export interface Fault {
  what: string;
  text: string;
  at: string;
  mended: Record<string, unknown>;
}

/** Loads a spec that may have faults. */
export async function loadMended(text: string, strict = false): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-mending-'));
  try {
    const file = join(folder, text.startsWith('{') ? 'spec.json' : 'spec.yaml');
    await writeFile(file, text);
    return await loadContract(file, { strict });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Tests that each fault is mended and warned of, and refused where it is strict. */
export function describeFaults(faults: readonly Fault[]): void {
  describe.each(faults)('$what', ({ text, at, mended }) => {
    test('is mended, and warned of by line', async () => {
      const { document, warnings } = await loadMended(text);
      expect(warnings.map(({ position: { line, column } }) => `${line}:${column}`)).toContain(at);
      for (const [pointer, value] of Object.entries(mended))
        expect({ pointer, value: valueAt(document, pointer) }).toEqual({ pointer, value });
    });

    test('is refused where it is strict', async () => {
      await expect(loadMended(text, true)).rejects.toThrow(SpecError);
    });
  });
}
