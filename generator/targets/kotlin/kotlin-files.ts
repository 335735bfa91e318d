import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '@branchline/contract';
import { makeClientProject } from './client/client-project.ts';
import { asksForInspector } from './asks-for-inspector.ts';
import { makeInspectorProject } from './inspector/inspector-project.ts';
import { jar } from './jar.ts';
import { layOut } from './layout.ts';
import { writeNames } from './literals.ts';
import type { KotlinProject } from './kotlin-project.ts';
import { render, findTemplates } from './render.ts';
import { makeManifest, readUnchangedFiles } from '../../manifest.ts';
import { sha256 } from '../../sha256.ts';
import { generatedHeader, type GeneratedFile, type Standing } from '../../target.ts';

/** See `Target.files`. */
export async function makeKotlinFiles(contract: Contract, standing: Standing): Promise<GeneratedFile[]> {
  const project = asksForInspector(contract) ? makeInspectorProject(contract) : makeClientProject(contract);
  const inputs = await hashInputs(contract, project);
  const files = (await readUnchangedFiles(project.folder, inputs, standing)) ?? (await make(contract, project));
  return [...files, await makeManifest(project.folder, contract, files, { inputs }), ...project.scaffold];
}

async function make(contract: Contract, project: KotlinProject): Promise<GeneratedFile[]> {
  const rendered = [...(await render(project))].map(([name, text]): [string, string] => [
    name,
    writeNames(layOut(text)),
  ]);
  return [...rendered, ...Object.entries(project.copied)].map(([name, text]) => ({
    path: `${project.folder}/${name}`,
    text: `// ${generatedHeader(contract)}\n\n${text}`,
    kind: 'generated',
  }));
}

/** A hash over all that decides what is generated, but for how names are escaped. */
async function hashInputs(contract: Contract, project: KotlinProject): Promise<string> {
  const folder = findTemplates(project);
  const templates = (await readdir(folder)).toSorted().map((name) => join(folder, name));
  const layout = fileURLToPath(new URL('layout.ts', import.meta.url));
  const read = await Promise.all([...templates, layout].map((file) => readFile(file, 'utf8')));
  const { scaffold: _, ...made } = project;
  return sha256(JSON.stringify([jar.sha256, generatedHeader(contract), made, read]));
}
