import { CouldNotRun } from '../could-not-run.ts';

/** What cases are about, or what belongs to the connection. */
const OWN = new Set([
  'api-key',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);
const HEADER = /^(?<name>[!#$%&'*+.^_`|~\w-]+):[ \t]*(?<value>.*)$/s;
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Reads `name: value`, each as it was given.
 *
 * @throws CouldNotRun for what is no header, or one that the suite sends itself.
 */
export function parseHeaders(texts: readonly string[] = []): [string, string][] {
  return texts.map((text) => {
    const { name, value } = HEADER.exec(text)?.groups ?? {};
    if (name === undefined || value === undefined)
      throw new CouldNotRun('--header must be "name: value", the name of a header and its value with a colon between.');
    if (!VALUE.test(value))
      throw new CouldNotRun(
        `--header: the value of "${name}" can hold ASCII alone, and no line break or other control character.`,
      );
    if (OWN.has(name.toLowerCase()))
      throw new CouldNotRun(`--header: the suite itself decides on "${name}"; what it holds can't be given.`);
    return [name, value];
  });
}
