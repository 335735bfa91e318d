import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('../templates/', import.meta.url);

/** The TypeScript files of a template folder, by name, in the order of their names. */
export async function templates(name: 'server' | 'scaffold' | 'client'): Promise<[name: string, text: string][]> {
  const place = new URL(`${name}/`, folder);
  const names = (await readdir(place)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).toSorted();
  return Promise.all(
    names.map(async (file): Promise<[string, string]> => [file, await readFile(new URL(file, place), 'utf8')]),
  );
}
