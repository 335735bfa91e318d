// @module-tag sqlite-alone
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlLine, endpointHint, gradleLines, kotlinLines } from '../../console/src/inspector/snippets.ts';
import { runShell } from './support/shell.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const documented = readFileSync(new URL('../../docs/android.md', import.meta.url), 'utf8');

/** Without what differs from app to app: where a name is declared, and of which environment a build is. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/^val /, '').replace('ServiceInspectorEnv.Dev)', 'environment)'))
    .filter((line) => line !== '' && !line.startsWith('//') && !line.startsWith('import '));
}

it('the Gradle lines are those of the documentation', () => {
  for (const line of lines(gradleLines('<tag>'))) expect(documented).toContain(line);
});

it('the Kotlin lines are those of the documentation', () => {
  const shown = lines(kotlinLines('https://inspector.example.com', '<API_KEY>'));
  expect(shown).toHaveLength(3);
  for (const line of shown) expect(documented).toContain(line);
});

describe('the endpoint', () => {
  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://localhost:3000'])(
    'of %s is the emulator’s name for this computer',
    (origin) => {
      expect(kotlinLines(origin, 'key')).toContain('setEndpoint("http://10.0.2.2:3000")');
      expect(endpointHint(origin)).toContain('10.0.2.2');
      expect(endpointHint(origin)).toContain('usesCleartextTraffic');
      expect(endpointHint(origin)).toContain('"adb reverse tcp:3000 tcp:3000", and http://localhost:3000');
    },
  );

  it('is the server itself where it can be reached, by https alone', () => {
    expect(kotlinLines('https://api.example', 'key')).toContain('setEndpoint("https://api.example")');
    expect(endpointHint('https://api.example')).toBeUndefined();
    expect(endpointHint('http://api.example')).toContain('TLS');
  });
});

describe('the curl line', () => {
  it('goes over plain HTTP on this machine, where the certificate is one that curl refuses', () => {
    expect(curlLine('https://localhost:3000', 'key', new Date())).toContain(' http://localhost:3000/');
    expect(curlLine('https://api.example', 'key', new Date())).toContain(' https://api.example/');
  });

  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('works as pasted', async () => {
    const said = await runShell(curlLine(server.origin, server.apiKey, new Date()));
    expect(said).toContain('HTTP/1.1 200 OK');
    expect(said).toContain('"accepted":1');
  });
});
