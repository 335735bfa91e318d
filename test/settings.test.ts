import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import contract from '../server/generated/contract.json' with { type: 'json' };
import { SETTINGS } from '../server/config.ts';

it('the table of settings in the docs is the table in the code', () => {
  const documented = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `--'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('\\<', '<'))
        .slice(1, -1),
    );
  expect(documented).toEqual(
    SETTINGS.map(({ flag, env, default: value, describe }) => [
      `\`${flag}\``,
      `\`${env}\``,
      value === undefined ? '' : `\`${value}\``,
      describe,
    ]),
  );
});

it('the limits that a server starts with are those of the contract', () => {
  const { paths, components } = contract;
  const startsWith = (name: string) => SETTINGS.find((setting) => setting.name === name)?.default;
  const create = paths['/workspaces/{workspaceId}/branches/v1'].post['x-branchline-rate-limit'];
  expect([startsWith('rateLimit'), startsWith('rateLimitMode')]).toEqual([
    create.requestsPerSecond,
    create.enforcement,
  ]);
  const ingest = paths['/inspector/batches/v1'].post['x-branchline-rate-limit'];
  expect([startsWith('ingestRateLimit'), 'hard']).toEqual([ingest.requestsPerSecond, ingest.enforcement]);
  const said = components.schemas.EventReport;
  expect(contract['x-branchline-inspector'].limits).toEqual({
    maxDepth: said['x-branchline-max-depth'],
    maxProperties: said['x-branchline-max-properties'],
    maxNameLength: components.schemas.PropertySchema.properties.name.maxLength,
    maxLabelLength: components.schemas.Label.maxLength,
    maxEventsPerBatch: components.schemas.Batch.properties.events.maxItems,
    maxBatchBytes: paths['/inspector/batches/v1'].post.requestBody['x-branchline-max-body-bytes'],
  });
});
