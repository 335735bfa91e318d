import { describe, expect, it } from 'vitest';
import { eventNameIn, paths, safeReturn } from '../../console/src/navigation/paths.ts';
import { matchPath } from '../../server/console/page-routes.ts';
import { linkTokenIn } from '../../console/src/signing-in/link-token.ts';

const ORIGIN = 'https://branchline.example';

describe('where signing in returns to', () => {
  it.each(['/', '/schemas/shop/branches', '/schemas/shop/branches?status=Draft&text=a%26b'])('%s', (path) => {
    expect(safeReturn(path, ORIGIN)).toBe(path);
  });

  it.each([
    null,
    '',
    'https://evil.example/',
    '//evil.example/',
    String.raw`/\evil.example/`,
    '/\t/evil.example/',
    '/.//evil.example/',
    '/schemas/../..//evil.example',
    '/schemas/%2e%2e//evil.example',
    '/docs',
    'javascript:alert(1)',
    'schemas/shop',
  ])('is nowhere else: %s', (text) => {
    expect(safeReturn(text, ORIGIN)).toBeUndefined();
  });
});

describe('a path', () => {
  it('is found by its template, decoded', () => {
    expect(matchPath('/schemas/:workspace/branches/:branch', paths.branch('a b', 'x/y'))).toEqual({
      workspace: 'a b',
      branch: 'x/y',
    });
    expect(matchPath('/schemas/:workspace/branches', '/schemas/shop/branches/')).toEqual({ workspace: 'shop' });
  });

  it.each(['/schemas//branches', '/schemas/shop', '/schemas/shop/branches/x', '/schemas/%E0%A4%A/branches', '/'])(
    'is none of another template: %s',
    (path) => {
      expect(matchPath('/schemas/:workspace/branches', path)).toBeUndefined();
    },
  );
});

describe('the path of an event', () => {
  it.each(['Product Viewed', '.', '..', '...', '~', '~.', '~~', 'a/b', '%2F', '?a#b', '名', ' '])(
    'names it, whatever browsers make of paths: %j',
    (name) => {
      const { pathname } = new URL(paths.event('shop', name), ORIGIN);
      const { event = '' } = matchPath('/schemas/:workspace/inspector/events/:event', pathname) ?? {};
      expect(eventNameIn(event)).toBe(name);
    },
  );
});

describe('a sign-in link', () => {
  it('names its workspace and its token', () => {
    expect(linkTokenIn('#shop.8mUq5m1k-T7_x')).toEqual({ workspaceId: 'shop', token: '8mUq5m1k-T7_x' });
  });

  it.each(['', '#', '#content', '#.token', '#shop.'])('is not every fragment: %s', (fragment) => {
    expect(linkTokenIn(fragment)).toBeUndefined();
  });
});
