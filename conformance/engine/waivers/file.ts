import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { YAMLParseError, parse } from 'yaml';
import { describeError, readUnknownField } from '@branchline/contract';
import { CouldNotRun } from '../../could-not-run.ts';
import { readGivenFile } from '../../given-file.ts';
import schema from './waivers.schema.json' with { type: 'json' };
import type { Waiver } from './waiver.ts';

const ajv = new Ajv2020();
addFormats.default(ajv);
const isFile = ajv.compile<{ waivers: Waiver[] }>(schema);

/**
 * Reads the waivers of a YAML or JSON file.
 *
 * @param option - that named it, for the error.
 * @throws CouldNotRun with a sentence that says what is wrong with the file.
 */
export function readWaivers(path: string, option = '--waivers'): Waiver[] {
  const file = parseYaml(readGivenFile(path, option), path, option);
  if (isFile(file)) return file.waivers;
  throw new CouldNotRun(`${option}: ${path} is no file of waivers: ${describeErrors(isFile.errors ?? [])}.`);
}

/** JSON is YAML too. */
function parseYaml(text: string, path: string, option: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    if (!(error instanceof YAMLParseError || error instanceof ReferenceError)) throw error;
    const [why = ''] = error.message.split(':\n');
    throw new CouldNotRun(`${option}: ${path} is neither YAML nor JSON: ${why}.`);
  }
}

function describeErrors(errors: readonly ErrorObject[]): string {
  const [first] = errors;
  if (first === undefined) return 'it is not as its schema says';
  const place =
    first.instancePath
      .slice(1)
      .replaceAll('/', '.')
      .replaceAll(/\.(\d+)/g, '[$1]') || 'it';
  if (errors.some(({ keyword }) => keyword === 'oneOf')) return `${place} must name either a case or a clause`;
  const unknown = readUnknownField(first);
  return unknown === undefined
    ? `${place} ${describeError(first)}`
    : `${place} has "${unknown}", which means nothing here`;
}
