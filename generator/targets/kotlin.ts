import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '@branchline/contract';
import { clientProject } from '../kotlin/client/project.ts';
import { asksForInspector } from '../kotlin/inspector/extension.ts';
import { inspectorProject } from '../kotlin/inspector/project.ts';
import { jar } from '../kotlin/jar.ts';
import { layOut } from '../kotlin/layout.ts';
import { manifestFile, sha256, unchanged } from '../kotlin/manifest.ts';
import type { KotlinProject } from '../kotlin/project.ts';
import { render, templatesOf } from '../kotlin/render.ts';
import { generatedHeader, type GeneratedFile, type Target } from '../target.ts';

/**
 * Kotlin Multiplatform: of a contract with `x-branchline-inspector` the generated part of the Inspector library, of any other
 * a client. Java starts only when what stands was made from something else, or has been changed.
 */
export const kotlinTarget: Target = {
  name: 'kotlin',
  describe: 'Kotlin Multiplatform: the Inspector library, or a client (kotlin-client/)',
  byDefault: asksForInspector,
  async files(contract, standing) {
    const project = asksForInspector(contract) ? inspectorProject(contract) : clientProject(contract);
    const inputs = await inputsOf(contract, project);
    const generated = (await unchanged(project.folder, inputs, standing)) ?? (await make(contract, project, inputs));
    return [...generated, ...project.scaffold];
  },
};

async function make(contract: Contract, project: KotlinProject, inputs: string): Promise<GeneratedFile[]> {
  const rendered = [...(await render(project))].map(([name, text]): GeneratedFile => ({
    path: `${project.folder}/${name}`,
    text: `${commentOf(contract)}\n${layOut(text)}`,
    kind: 'generated',
  }));
  return [manifestFile(project.folder, generatedHeader(contract), inputs, rendered), ...rendered];
}

/** The header, in lines that are short enough for ktlint. */
function commentOf(contract: Contract): string {
  const [first = '', second = ''] = generatedHeader(contract).split(' (sha256 ');
  return `// ${first}\n// (sha256 ${second}\n`;
}

/** A hash over all that decides what is generated. */
async function inputsOf(contract: Contract, project: KotlinProject): Promise<string> {
  const folder = templatesOf(project);
  const templates = (await readdir(folder)).toSorted().map((name) => join(folder, name));
  const layout = fileURLToPath(new URL('../kotlin/layout.ts', import.meta.url));
  const read = await Promise.all([...templates, layout].map((file) => readFile(file, 'utf8')));
  const { scaffold: _, ...made } = project;
  return sha256(JSON.stringify([jar.sha256, generatedHeader(contract), made, read]));
}
