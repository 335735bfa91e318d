import type { Operation } from '@branchline/contract';
import { escapeComment } from '../comments.ts';

/** `GET /pets`, as code in a comment. */
export function printTitle({ method, path }: Operation): string {
  return escapeComment(`\`${method.toUpperCase()} ${path}\``);
}

/** `Find pets: GET /pets.`, on one line. */
export function printDescription(operation: Operation): string {
  const summary = escapeComment(operation.definition.summary ?? '').replaceAll(/\s+/g, ' ');
  return summary === '' ? `${printTitle(operation)}.` : `${summary.replace(/[.]$/, '')}: ${printTitle(operation)}.`;
}
