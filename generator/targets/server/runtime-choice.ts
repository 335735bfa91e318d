import { readManifest } from '../../manifest.ts';
import type { Choices, RuntimeChoice, Standing } from '../../target.ts';
import { ToolError } from '../../tool-error.ts';

/** What generated files import the runtime from. */
export const RUNTIME_MODULES: Readonly<Record<RuntimeChoice, string>> = {
  copy: './runtime/index.ts',
  package: '@branchline/runtime',
};

/**
 * What a server in a folder is to run on: what is asked for, else what the last run has noted in the folder's manifest, else a copy.
 *
 * @throws ToolError where nothing is asked for, and the manifest can't be read: a guess might replace the one by the other.
 */
export async function chooseRuntime(folder: string, standing: Standing, { runtime }: Choices): Promise<RuntimeChoice> {
  if (runtime !== undefined) return runtime;
  const manifest = await readManifest(folder, standing);
  if (manifest === undefined) return 'copy';
  const noted = manifest['runtime'];
  if (noted === 'copy' || noted === 'package') return noted;
  throw new ToolError(
    `${folder}/manifest.json does not say what the server runs on; say it with --runtime copy or --runtime package.`,
  );
}
