import { UserError } from '@branchline/command-line';

const TAG = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9a-z]+(\.[0-9a-z]+)*)?$/;

/**
 * The tag of a release: a version as Semantic Versioning has it.
 *
 * @throws UserError where it is none.
 */
export function parseTag(text: string): string {
  if (/snapshot/i.test(text)) throw new UserError('A release never changes, so its tag can not be that of a snapshot.');
  if (!TAG.test(text)) throw new UserError('A tag is a version such as 1.2.3 or 1.2.3-rc.1.');
  return text;
}

/** Orders tags from the oldest to the newest; `1.2.3-rc.1` comes before `1.2.3`. */
export function compareTags(a: string, b: string): number {
  const [left, right] = [splitTag(a), splitTag(b)];
  return left.release.localeCompare(right.release, 'en', { numeric: true }) || compareCandidates(left, right);
}

interface Parts {
  release: string;
  candidate: string;
}

function splitTag(tag: string): Parts {
  const [release = '', ...candidate] = tag.split('-');
  return { release, candidate: candidate.join('-') };
}

function compareCandidates(left: Parts, right: Parts): number {
  if (left.candidate === '' || right.candidate === '') return right.candidate.length - left.candidate.length;
  return left.candidate.localeCompare(right.candidate, 'en', { numeric: true });
}
