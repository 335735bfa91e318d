import { writeFile } from 'node:fs/promises';
import { CouldNotRun } from '../../could-not-run.ts';
import type { Report } from '../result.ts';
import { badgeReport } from './badge.ts';
import { checkFileWritable } from './check-writable.ts';
import { githubReport } from './github.ts';
import { harReport } from './har.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';

/** A report that is to be written. */
export interface ReportTarget {
  readonly kind: ReportKind;
  readonly path: string;
}

const WRITERS = {
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
  badge: badgeReport,
  github: githubReport,
  har: harReport,
};

export type ReportKind = keyof typeof WRITERS;

/**
 * Reads `kind=file`, each as it was given.
 *
 * @throws CouldNotRun where there is no such kind, or where a file is named twice.
 */
export function reportTargets(texts: readonly string[] = []): ReportTarget[] {
  const targets = texts.map(parseTarget);
  const twice = targets.find(({ path }, index) => targets.findIndex((one) => one.path === path) < index);
  if (twice !== undefined)
    throw new CouldNotRun(`--report: two reports can't be written to the one file ${twice.path}.`);
  return targets;
}

/**
 * Checks before a run that its reports can be written.
 *
 * @throws CouldNotRun where a file can't be written.
 */
export async function checkWritable(targets: readonly ReportTarget[]): Promise<void> {
  for (const target of targets) await tryToWrite(target, () => checkFileWritable(target.path));
}

/** @throws CouldNotRun where a file can't be written. */
export async function writeReports(report: Report, targets: readonly ReportTarget[]): Promise<void> {
  for (const target of targets) await tryToWrite(target, () => writeFile(target.path, WRITERS[target.kind](report)));
}

function parseTarget(text: string): ReportTarget {
  const [kind = '', ...rest] = text.split('=');
  const path = rest.join('=');
  if (isKind(kind) && path !== '') return { kind, path };
  const kinds = Object.keys(WRITERS).join(', ');
  throw new CouldNotRun(`--report must be kind=file, where the kind is one of ${kinds}, not ${JSON.stringify(text)}.`);
}

function isKind(text: string): text is ReportKind {
  return Object.hasOwn(WRITERS, text);
}

async function tryToWrite({ kind, path }: ReportTarget, write: () => Promise<void>): Promise<void> {
  await write().catch((error: NodeJS.ErrnoException) => {
    throw new CouldNotRun(`--report: the ${kind} report can't be written to ${path} (${error.code}).`);
  });
}
