import { Command } from 'commander';
import fc from 'fast-check';
import { runProgram } from '@branchline/command-line';
import { SETTINGS } from '@branchline/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { program } from './cli.ts';
import { addSettings } from './settings.ts';

const NAMES = SETTINGS.map(({ name }) => name);

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

/** Runs a command line in this process; what it says on stderr. */
async function say(command: Command, ...words: string[]): Promise<string> {
  let said = '';
  // Each run listens for the end of its reader.
  vi.spyOn(process.stdout, 'on').mockReturnThis();
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  await runProgram(command, ['node', 'branchline', ...words]);
  vi.restoreAllMocks();
  return said;
}

/** A command with all settings, which does nothing. */
const taking = () => addSettings(new Command('branchline'), NAMES).action(() => {});

/** URLs with a user and a password, and what is taken for one. */
const WITH_PASSWORD: readonly ((password: string) => string)[] = [
  (password) => `user:${password}@host`,
  (password) => `https://user:${password}@host/`,
  (password) => `https://${password}@host:8080`,
  (password) => `postgres://user:${password}@host:5432/name`,
];

describe.each(SETTINGS)('$flag', ({ flag, env }) => {
  it('repeats no password of a URL, however it is refused', async () => {
    const option = flag.replace('[no-]', '').split(' ')[0] ?? '';
    const passwords = fc.string().map((text) => `s3cr3t${text}`);
    const values = fc.constantFrom(...WITH_PASSWORD);
    await fc.assert(
      fc.asyncProperty(passwords, values, async (password, make) => {
        expect(await say(taking(), `${option}=${make(password)}`)).not.toContain('s3cr3t');
        vi.stubEnv(env, make(password));
        expect(await say(taking())).not.toContain('s3cr3t');
        vi.unstubAllEnvs();
      }),
      { numRuns: 20 },
    );
  });
});

it('a URL with a password is taken where there may be one alone', async () => {
  const taken = (value: string) =>
    SETTINGS.filter(({ parse }) => {
      try {
        parse(value);
        return true;
      } catch {
        return false;
      }
    }).map(({ name }) => name);
  const texts = ['oidcClientId', 'oidcClientSecret'];
  expect(taken('https://user:password@host/')).toEqual(texts);
  expect(taken('postgres://user:password@host:5432/name')).toEqual(['databaseUrl', ...texts]);
});

it.each([
  [['--web-host', 'a..b'], "error: option '--web-host <host>' argument 'a..b' is invalid. It must be a host"],
  [['--web-host', 'me:pw@b'], "error: option '--web-host <host>' argument given is invalid. It must be a host"],
  [['--wbe-host=me:pw@b'], "error: unknown option '--wbe-host=…'"],
])('%j is refused with “%s”', async (words, sentence) => {
  expect(await say(taking(), ...words)).toContain(sentence);
});

it('a value of the environment is refused by the name of its variable', async () => {
  vi.stubEnv('BRANCHLINE_WEB_HOST', 'me:pw@b');
  expect(await say(taking())).toContain(
    "error: option '--web-host <host>' value given from env 'BRANCHLINE_WEB_HOST' is invalid. It must be a host",
  );
});

it.each([
  ['user', 'invite', '--workspace', 'a', '--email', 'a@b.example', '--role', 'admin', '--origin'],
  ['generate', 'client', '--spec'],
  ['mock'],
  ['diff'],
  ['contract', 'test', '--base-url', 'http://127.0.0.1:1', '--spec'],
  ['contract', 'test', '--spec', 'openapi.yaml', '--base-url'],
  ['conformance', '--workspace', 'a', '--account', 'a:b', '--base-url'],
  ['workspace', 'create'],
  ['workspace'],
  [],
])('the URL of %s repeats no password either', async (...words) => {
  for (const value of ['https://user:s3cr3t@host/a.yaml', 'https://user:s3cr3t@ho st/']) {
    const said = await say(await program(), ...words, value);
    expect(said).not.toContain('s3cr3t');
    expect(process.exitCode).toBe(2);
  }
});
