import type { Operation } from '@branchline/contract';
import { commentText } from './code.ts';

/** `GET /pets`, as code in a comment. */
export function title({ method, path }: Operation): string {
  return commentText(`\`${method.toUpperCase()} ${path}\``);
}

/** `Find pets: GET /pets.`, on one line. */
export function description(operation: Operation): string {
  const summary = commentText(operation.definition.summary ?? '').replaceAll(/\s+/g, ' ');
  return summary === '' ? `${title(operation)}.` : `${summary.replace(/[.]$/, '')}: ${title(operation)}.`;
}
