import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';
import { run } from './run.ts';
import { findOtherVersions, readVersion } from './versions.ts';

const SHOWN = 5;

/**
 * Whether a repository can be released as it is.
 *
 * @throws Refusal with all that is in the way
 */
export async function refuseUnready(repository: string): Promise<void> {
  const version = readVersion(repository);
  const problems = [
    ...(await findUncommitted(repository)),
    ...(await findExistingTag(repository, version)),
    ...findOtherVersions(repository),
    ...findMissingSection(repository, version),
  ];
  if (problems.length > 0) throw new Refusal(problems.join('\n'));
}

export function nameTag(version: string): string {
  return `v${version}`;
}

/** @returns a sentence where the work tree is not what is committed */
export async function findUncommitted(repository: string): Promise<string[]> {
  const status = await run(repository, 'git', ['status', '--porcelain']);
  const paths = status.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
  if (paths.length === 0) return [];
  const shown = [...paths.slice(0, SHOWN), ...(paths.length > SHOWN ? ['…'] : [])];
  return [`The work tree has changes that are not committed (${shown.join(', ')}); commit them, or put them away.`];
}

async function findExistingTag(repository: string, version: string): Promise<string[]> {
  const tag = nameTag(version);
  if ((await run(repository, 'git', ['tag', '--list', tag])) === '') return [];
  return [
    `There is a tag ${tag} already, and a release never changes; "npm run release -- --set-version" takes the next version.`,
  ];
}

function findMissingSection(repository: string, version: string): string[] {
  const sections = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  const content = section?.split('\n').slice(1).join('').trim() ?? '';
  if (content !== '') return [];
  return [`CHANGELOG.md has no section for this version; give what is under "Unreleased" the heading "## ${version}".`];
}
