import { posix } from 'node:path';
import { root } from './workspaces.ts';

/**
 * What packages have beside what lies in their workspace, and the pages of `docs/` that their README leads to: paths in the repository, and
 * in the package.
 */
export const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  '@branchline/conformance': [
    'docs/ingest.md',
    'examples/github-actions',
    'examples/inspector-driver.js',
    'examples/seed-command.sh',
    'examples/sink-drivers',
    'openapi.yaml',
  ],
  // What servers get copied.
  '@branchline/generator': ['runtime'],
};

/** A page of the repository that has another place in a package. */
export interface MovedPage {
  text: string;
  /** Path in the repository. */
  from: string;
  /** Path in the package. */
  to: string;
  /** Path in the package of a file or folder of the repository; `undefined` where it is not in there. */
  placeOf: (path: string) => string | undefined;
}

/** The page with links that lead to the same as before: into the package, or to the repository. */
export function relink({ text, from, to, placeOf }: MovedPage): string {
  return text.replaceAll(/(?<=\]\()(?![a-z]+:|#)([^)#]+)/g, (link: string) => {
    const target = posix.join(posix.dirname(from), link);
    const place = placeOf(target);
    return place === undefined ? linkToRepository(target) : posix.relative(posix.dirname(to), place);
  });
}

function linkToRepository(path: string): string {
  return `${root.repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/${path}`;
}
