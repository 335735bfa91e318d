import { existsSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { readRegularFileBytes } from '@branchline/command-line';
import { describeError, isObject, readUnknownField } from '@branchline/contract';
import { ToolError } from '../tool-error.ts';
import type { Config } from './config.ts';
import { evaluateModule } from './evaluate-module.ts';

/** What a configuration may be called. */
const NAMES = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `branchline.config.${extension}`);

/**
 * Finds the configuration of a folder; `undefined` where there is none.
 *
 * @throws ToolError where there are several
 */
export function findConfig(folder: string): string | undefined {
  const found = NAMES.filter((name) => existsSync(join(folder, name)));
  if (found.length > 1) throw new ToolError(`There are ${found.join(' and ')}: keep one, or name one with --config.`);
  return found[0];
}

/**
 * Reads a configuration.
 *
 * @throws ToolError saying what is wrong with it, and where
 */
export async function readConfig(file: string): Promise<Config> {
  const value = extname(file) === '.json' ? await readJson(file) : await readModule(file);
  const isConfig = new Ajv2020({ allErrors: true }).compile<Config>(SCHEMA);
  if (!isConfig(value)) throw new ToolError(`${file}: ${describeFault(isConfig.errors ?? [])}.`);
  for (const [index, { targets = [] }] of value.contracts.entries()) {
    for (const [place, target] of targets.entries())
      checkTarget(target, `${file}: contracts[${index}].targets[${place}]`);
  }
  return value;
}

/** `RegExp`s and functions are not to be described by a schema. */
function checkTarget(target: unknown, place: string): void {
  if (typeof target === 'string') return;
  const lacks = !isObject(target)
    ? 'is neither the name of a target nor a target'
    : typeof target['name'] !== 'string'
      ? 'is a target without a "name"'
      : typeof target['files'] !== 'function'
        ? `("${target['name']}") is a target without a function "files"`
        : undefined;
  if (lacks !== undefined) throw new ToolError(`${place} ${lacks}.`);
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(file, error);
  }
}

async function readModule(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    const value = await evaluateModule(file, text);
    if (value === undefined) throw new Error('it has no default export; write "export default defineConfig({ … })"');
    return value;
  } catch (error) {
    return refuse(file, error);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return (await readRegularFileBytes(file)).toString('utf8');
  } catch (error) {
    return refuse(file, error);
  }
}

function refuse(file: string, error: unknown): never {
  const place = error instanceof Error ? findPlace(file, error) : '';
  throw new ToolError(`${file}${place} can't be used: ${explain(error).replace(/\.$/, '')}.`, { cause: error });
}

function explain(error: unknown): string {
  if (isObject(error) && error['code'] === 'ENOENT') return 'there is no such file';
  // The lines after the first repeat the place.
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const [, missing] = /^Cannot find module '(.+)'/.exec(first) ?? [];
  if (missing === undefined) return first.trim().replace(/^ParseError: /, 'this is not valid TypeScript: ');
  return /^[./]/.test(missing)
    ? `it imports "${missing}", and there is no such file`
    : `it imports "${missing}", which is not installed; run "npm install --save-dev ${missing}", or correct the name`;
}

/** The line of the file that an error comes from. */
function findPlace(file: string, { stack = '' }: Error): string {
  const [, after = ''] = stack.split(resolve(file));
  const [, line] = /^:(\d+)/.exec(after) ?? [];
  return line === undefined ? '' : `:${line}`;
}

/** A field that has no meaning is told first: it may be the one that is missing, misspelled. */
function describeFault(errors: readonly ErrorObject[]): string {
  const error = errors.find((one) => readUnknownField(one) !== undefined) ?? errors[0];
  if (error === undefined) return 'it is no configuration';
  const place =
    error.instancePath
      .slice(1)
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.') || 'the configuration';
  const unknown = readUnknownField(error);
  if (unknown !== undefined) return `${place} has a field "${unknown}", which means nothing here`;
  const values: unknown = error.params['allowedValues'];
  return Array.isArray(values) ? `${place} must be one of: ${values.join(', ')}` : `${place} ${describeError(error)}`;
}

const texts = { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } };

const selection = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { tags: texts, operations: texts, paths: texts },
};

const SCHEMA = {
  type: 'object',
  required: ['contracts'],
  additionalProperties: false,
  properties: {
    contracts: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          spec: { type: 'string', minLength: 1 },
          out: { type: 'string', minLength: 1 },
          targets: { type: 'array', minItems: 1 },
          runtime: { enum: ['copy', 'package'] },
          strict: { type: 'boolean' },
          include: selection,
          exclude: selection,
        },
      },
    },
  },
};
