import { parse } from 'yaml';
import { CouldNotRun } from '../could-not-run.ts';
import { readGivenFile } from '../given-file.ts';

/**
 * Values of path parameters, from options and from a file of YAML or JSON that maps names to values; options win.
 *
 * @param known - the names of the contract's path parameters.
 * @throws CouldNotRun with a sentence for what is none.
 */
export function readPathValues(
  { path = [], pathFile }: { readonly path?: readonly string[]; readonly pathFile?: string },
  known: ReadonlySet<string>,
): Record<string, string> {
  const options = path.map((text): [string, string] => {
    const sign = text.indexOf('=');
    if (sign < 1 || sign === text.length - 1)
      throw new CouldNotRun('--path must be name=value, with the name of a path parameter.');
    return [text.slice(0, sign), text.slice(sign + 1)];
  });
  const values = { ...readFiled(pathFile), ...Object.fromEntries(options) };
  const unknown = Object.keys(values).find((name) => !known.has(name));
  if (unknown === undefined) return values;
  const names = [...known].map((name) => `"${name}"`).join(', ') || 'none';
  throw new CouldNotRun(`The contract has no path parameter "${unknown}"; it has ${names}.`);
}

function readFiled(path: string | undefined): Record<string, string> {
  if (path === undefined) return {};
  const content = parseText(readGivenFile(path, '--path-file'), path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new CouldNotRun(`--path-file: ${path} must map names of path parameters to values, as "petId: 7" does.`);
  const entries = Object.entries(content).map(([name, value]): [string, string] => {
    if (typeof value === 'string' || typeof value === 'number') return [name, String(value)];
    throw new CouldNotRun(`--path-file: the value of "${name}" in ${path} must be a text or a number.`);
  });
  return Object.fromEntries(entries);
}

function parseText(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new CouldNotRun(`--path-file: ${path} is neither YAML nor JSON: ${why}`);
  }
}
