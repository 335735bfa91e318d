import { writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse, stringify } from 'yaml';
import { readSmallFile, UserError } from '@branchline/command-line';
import { describeError, readUnknownField } from '../../validation-errors.ts';
import type { Finding } from '../contracts.ts';
import { RULES } from '../rules.ts';
import schema from './allowances.schema.json' with { type: 'json' };
import { type Allowance, isAbout } from './allowance.ts';

/**
 * Reads a file of accepted changes, YAML or JSON.
 *
 * @throws UserError where it is none, or names a rule that there is not
 */
export async function readAllowances(path: string): Promise<Allowance[]> {
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  const isFile = ajv.compile<{ allowed: Allowance[] }>(schema);
  const file = parseYaml(await readSmallFile({ path, what: `--allow: the file ${path}`, maxBytes: MOST_BYTES }), path);
  if (!isFile(file)) {
    const [error] = isFile.errors ?? [];
    const place =
      error?.instancePath
        .slice(1)
        .replaceAll('/', '.')
        .replaceAll(/\.(\d+)/g, '[$1]') || 'it';
    const unknown = error === undefined ? undefined : readUnknownField(error);
    const why =
      unknown === undefined
        ? `${place} ${error === undefined ? 'is not as its schema says' : describeError(error)}`
        : `${place} has "${unknown}", which means nothing here`;
    throw new UserError(`--allow: ${path} is no file of accepted changes: ${why}.`);
  }
  const unknown = file.allowed.find(({ rule }) => !RULES.has(rule));
  if (unknown !== undefined) {
    throw new UserError(`--allow: ${path} names a rule "${unknown.rule}", which there is not; --rules lists them.`);
  }
  return file.allowed;
}

/** Far more than anybody accepts. */
const MOST_BYTES = 2 ** 20;

const HEAD = `# Changes of the contract that are accepted: \`branchline diff --allow\` passes over them.\n`;

/**
 * Writes a file in which findings are accepted, each for the reason of the day, beside what is accepted already.
 *
 * @throws UserError where it can't be written
 */
export async function writeAllowances(
  path: string,
  findings: readonly Finding[],
  kept: readonly Allowance[],
  today: Date,
): Promise<number> {
  const reason = `It was accepted on ${today.toISOString().slice(0, 10)}, when this file was written.`;
  const added = findings
    .filter((finding) => !kept.some((allowance) => isAbout(allowance, finding)))
    .map(({ rule, place }): Allowance => ({ rule, place, reason }))
    .filter(
      (one, index, all) =>
        all.findIndex((other) => isAbout(other, { rule: one.rule, place: one.place ?? '' })) === index,
    );
  const allowed = [...kept, ...added];
  try {
    await writeFile(path, `${HEAD}${stringify({ allowed })}`);
  } catch (error) {
    throw new UserError(`--allow-all-to: the file ${path} can't be written (${codeOf(error)}).`);
  }
  return allowed.length;
}

/** JSON is YAML too. */
function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split(':\n');
    throw new UserError(`--allow: ${path} is neither YAML nor JSON: ${why}.`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
