import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, SETTINGS } from '../../config.ts';
import { oidcSettings } from './settings.ts';

type OidcConfig = Parameters<typeof oidcSettings>[0];

const NONE: OidcConfig = {
  oidcIssuer: undefined,
  oidcClientId: undefined,
  oidcClientSecret: undefined,
  oidcClientSecretFile: undefined,
};
const NAMED: OidcConfig = { ...NONE, oidcIssuer: 'https://login.example.com', oidcClientId: 'branchline' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (content: string): string => {
  const path = join(folder, 'secret');
  writeFileSync(path, content);
  return path;
};

describe('the settings of OIDC', () => {
  it('name no provider unless all of them are given', async () => {
    expect(await oidcSettings(NONE)).toBeUndefined();
    const secret = { oidcClientSecret: 's' };
    const parts: Partial<OidcConfig>[] = [{ oidcIssuer: 'https://login.example.com' }, { oidcClientId: 'x' }, secret];
    for (const config of [...parts.map((part) => ({ ...NONE, ...part })), NAMED]) {
      await expect(oidcSettings(config)).rejects.toThrow(/give all three, or none/);
    }
    expect(await oidcSettings({ ...NAMED, ...secret })).toMatchObject({ clientId: 'branchline', clientSecret: 's' });
  });

  it('take the secret from a file, without the end of its line', async () => {
    const settings = await oidcSettings({ ...NAMED, oidcClientSecretFile: file('a secret\n') });
    expect(settings?.clientSecret).toBe('a secret');
  });

  it.each([
    ['is empty', () => file(' \n'), undefined, /is empty/],
    ['is not there', () => join(folder, 'nothing'), undefined, /can't be read: ENOENT/],
    ['stands beside the secret itself', () => file('a secret'), 'another', /given twice/],
  ])('refuse a file that %s', async (_what, oidcClientSecretFile, oidcClientSecret, sentence) => {
    const config = { ...NAMED, oidcClientSecret, oidcClientSecretFile: oidcClientSecretFile() };
    await expect(oidcSettings(config)).rejects.toThrow(sentence);
  });
});

describe('an issuer', () => {
  const parse = SETTINGS.find((setting) => setting.name === 'oidcIssuer')?.parse as (
    text: string,
  ) => Config['oidcIssuer'];

  it.each(['https://accounts.google.com', 'https://x.auth0.com/', 'http://localhost:8080/realms/a', 'http://[::1]:1'])(
    'can be %s',
    (issuer) => expect(parse(issuer)).toBe(issuer),
  );

  it.each([
    'http://login.example.com',
    'http://localhost.example.com',
    'ftp://localhost',
    'login.example.com',
    'https://user:password@login.example.com',
    'https://login.example.com?x=1',
    'https://login.example.com#x',
    `https://login.example.com/${'x'.repeat(250)}`,
    '',
  ])('can not be %s', (issuer) => expect(() => parse(issuer)).toThrow(/It must be a URL such as/));
});
