import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import repository from '../../package.json' with { type: 'json' };
import { SETTINGS } from '../../server/config.ts';

const CHART = new URL('../../deploy/helm/branchline/', import.meta.url);

it('the chart has the version of this repository', () => {
  const chart: unknown = parse(readFileSync(new URL('Chart.yaml', CHART), 'utf8'));
  expect(chart).toMatchObject({ version: repository.version, appVersion: repository.version });
});

describe('the settings that the chart takes', () => {
  it('are those of the server that it does not make itself', () => {
    const schema: { properties: { settings: { propertyNames: { enum: string[] } } } } = JSON.parse(
      readFileSync(new URL('values.schema.json', CHART), 'utf8'),
    );
    const taken = schema.properties.settings.propertyNames.enum;
    const made = SETTINGS.map(({ env }) => env).filter((env) => !taken.includes(env));
    expect(taken.filter((name) => !SETTINGS.some(({ env }) => env === name))).toEqual([]);
    expect(made).toEqual([
      'HOST',
      'PORT',
      'BRANCHLINE_DATABASE',
      'DATABASE_URL',
      'BRANCHLINE_DATABASE_PASSWORD_FILE',
      'BRANCHLINE_HASH_KEY',
      'BRANCHLINE_HASH_KEY_FILE',
      'BRANCHLINE_WEB_HOST',
      'BRANCHLINE_TRUSTED_PROXIES',
      'BRANCHLINE_TLS_CERT',
      'BRANCHLINE_TLS_KEY',
      'BRANCHLINE_OIDC_ISSUER',
      'BRANCHLINE_OIDC_CLIENT_ID',
      'BRANCHLINE_OIDC_CLIENT_SECRET',
      'BRANCHLINE_OIDC_CLIENT_SECRET_FILE',
      'BRANCHLINE_EXPORT_SPOOL',
      'BRANCHLINE_DEMO',
      'BRANCHLINE_METRICS_ADDRESS',
      'BRANCHLINE_DRAIN_DELAY',
      'BRANCHLINE_DRAIN_TIMEOUT',
    ]);
  });
});
