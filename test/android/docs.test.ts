import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPage } from '../../server/console/page-routes.ts';

/** docs/android.md against what the library says. What it shows to paste is compiled by pasted.test.ts. */
const docs = read('docs/android.md');
const sources = 'android-sdk/inspector/src';

describe('docs/android.md', () => {
  it('names log lines that there are', () => {
    const library = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('Main/') && name.endsWith('.kt'))
      .map((name) => read(`${sources}/${name}`))
      .join('\n');
    const [, table = ''] = docs.split('| Line begins with');
    const lines = [...table.matchAll(/^\| `(.+?)`/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(library).toContain(line);
  });

  it('names pages of the console that there are', () => {
    const pages = [...docs.matchAll(/<http:\/\/localhost:3000(\/.*?)>/g)].map(([, path = '']) => path);
    expect(pages).not.toHaveLength(0);
    for (const page of pages) expect(isPage(page), page).toBe(true);
  });

  it('shows pictures that there are', () => {
    const images = readdirSync('docs/images');
    for (const [, name] of docs.matchAll(/\(images\/(.+?)\)/g)) expect(images).toContain(name);
  });
});

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
