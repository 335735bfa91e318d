import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** docs/android.md against what the build compiles and what the library says. */
const docs = read('docs/android.md');
const sources = 'android-sdk/inspector/src';
const compiled = read(`${sources}/androidTest/java/com/example/shop/ShopInspector.java`)
  .concat(read(`${sources}/androidTest/kotlin/com/example/shop/ShopApplication.kt`))
  .split('\n')
  .map((line) => line.trim());

describe('docs/android.md', () => {
  it.each([...docs.matchAll(/^```(?:java|kotlin)\n(.*?)^```$/gms)].map(([, snippet = '']) => snippet))(
    'has a snippet that is compiled: %s',
    (snippet) => {
      for (const line of snippet.trim().split('\n')) expect(compiled).toContain(line.trim());
    },
  );

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

  it('shows pictures that there are', () => {
    const images = readdirSync('docs/images');
    for (const [, name] of docs.matchAll(/\(images\/(.+?)\)/g)) expect(images).toContain(name);
  });
});

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
