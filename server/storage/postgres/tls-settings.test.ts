import { onTestFinished, expect, it, vi } from 'vitest';
import pg from 'pg';
import { readTlsSettings } from './tls-settings.ts';

const PLAIN = 'postgres://user:p%40ss@host:5432/name';

it.each(['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])(
  'has the certificate verified with sslmode=%s, of which nothing is warned',
  async (mode) => {
    const warn = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warn.mockRestore());
    const url = await readTlsSettings(`${PLAIN}?connect_timeout=5&sslmode=${mode}`);
    const { ssl, host, user, password, database } = new pg.Client(url);
    expect({ ssl, host, user, password, database }).toEqual({
      ssl: {},
      host: 'host',
      user: 'user',
      password: 'p@ss',
      database: 'name',
    });
    expect(warn).not.toHaveBeenCalled();
  },
);

it.each(['', '?sslmode=disable', '?sslmode=no-verify', '?sslmode=require&uselibpqcompat=true'])(
  'leaves %j as it is',
  async (query) => {
    expect(await readTlsSettings(PLAIN + query)).toBe(PLAIN + query);
  },
);

it.each(['sslmode=disable&sslmode=nope', 'sslrootcert=/a&sslmode=disable&sslrootcert=/b'])(
  'refuses what is named twice: %s',
  async (query) => {
    await expect(readTlsSettings(`${PLAIN}?${query}`)).rejects.toThrow(/names ssl\w+ twice: leave one of them\.$/);
  },
);
