import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ToolError } from '../../tool-error.ts';
import { findJar } from './jar.ts';
import { findJava } from './java.ts';
import type { KotlinProject } from './kotlin-project.ts';

const run = promisify(execFile);

/** It lives for two seconds, so it is not worth its while to optimise; and it makes the same on a machine of any language. */
const JVM_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Dfile.encoding=UTF-8', '-Duser.language=en'];

/** The folder of a project's templates. */
export function findTemplates({ templates }: KotlinProject): string {
  return fileURLToPath(new URL(`templates/${templates}`, import.meta.url));
}

/**
 * Runs openapi-generator-cli on a project.
 *
 * @returns text by path, relative to the project's folder.
 * @throws ToolError where Java or the jar is missing, or the jar fails.
 */
export async function render(project: KotlinProject): Promise<Map<string, string>> {
  const [java, jar] = await Promise.all([findJava(), findJar()]);
  const folder = await mkdtemp(join(tmpdir(), 'branchline-kotlin-'));
  try {
    const out = join(folder, 'out');
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(project.document));
    await writeFile(join(folder, 'config.json'), JSON.stringify(makeConfig(project, folder, out)));
    await run(java, [...JVM_OPTIONS, '-jar', jar, 'generate', '-c', join(folder, 'config.json')], {
      cwd: folder,
      maxBuffer: 1 << 26,
    });
    return await readTexts(join(out, 'generated'));
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(`openapi-generator-cli could not make Kotlin of the contract: ${readLastWords(error)}`, {
      cause: error,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function makeConfig(project: KotlinProject, folder: string, out: string): object {
  const { options, once } = project;
  return {
    generatorName: 'kotlin',
    library: 'multiplatform',
    inputSpec: join(folder, 'openapi.json'),
    outputDir: out,
    templateDir: findTemplates(project),
    skipValidateSpec: true,
    ...options,
    additionalProperties: { dateLibrary: 'string', sourceFolder: 'generated', enumPropertyNaming: 'UPPERCASE' },
    files: Object.fromEntries(
      Object.entries(once).map(([template, path]) => [
        template,
        { folder: 'generated', destinationFilename: path, templateType: 'SupportingFiles' },
      ]),
    ),
    globalProperties: {
      models: '',
      modelDocs: 'false',
      modelTests: 'false',
      ...(options.apiPackage === undefined ? {} : { apis: '', apiDocs: 'false', apiTests: 'false' }),
      supportingFiles: Object.values(once).join(','),
    },
  };
}

async function readTexts(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    paths.map(async (path): Promise<[string, string]> => [
      relative(folder, path).split(sep).join('/'),
      await readFile(path, 'utf8'),
    ]),
  );
  return new Map(texts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Java says what went wrong first, and then from where. */
function readLastWords(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  return (text.split('\n').find((line) => /Exception|Error/.test(line)) ?? text).trim();
}
