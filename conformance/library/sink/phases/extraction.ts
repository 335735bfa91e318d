import { isJsonObject } from '@branchline/contract';
import { createCanaryEvent, map } from '../canaries.ts';
import type { TypedJson } from '../driver.ts';
import type { Phase } from '../phase.ts';
import { formatSchema } from '../schema-text.ts';
import type { PhaseRun } from '../phase-run.ts';
import { type CaseOutcome, fail, PASSED, skip } from '../outcome.ts';

const TYPED = map({ count: { int: '42' }, title: { string: 'red' }, name: { string: '' } });
const KEYS = map({ first: { int: '1' }, second: { string: 'a' } });
const FIELDS: TypedJson = {
  object: {
    fields: [
      ['first', { int: '1' }],
      ['second', { string: 'a' }],
    ],
  },
};

/** What the library makes of properties, as far as the documents say it; the vectors try much more. */
export const extraction: Phase = {
  name: 'extraction',
  environment: 'prod',
  seconds: 2,
  run: async (phaseRun) => {
    await phaseRun.start();
    const same = 'count: int, name: string, title: string';
    phaseRun.judge(
      'extraction/types',
      await judge(phaseRun, TYPED, (schema) => (types(schema) === same ? undefined : same)),
    );
    const names = 'first, second';
    const named = (schema: unknown): string | undefined => (listNames(schema) === names ? undefined : names);
    phaseRun.judge('extraction/map', await judge(phaseRun, KEYS, named));
    phaseRun.judge('extraction/object', await judge(phaseRun, FIELDS, named));
    phaseRun.judge('extraction/null', await judge(phaseRun, { null: true }, () => undefined));
    phaseRun.judge('extraction/returned', await checkReturned(phaseRun));
  },
};

/** @param wanted what was wanted instead of the schema, if it is not that. */
async function judge(
  phaseRun: PhaseRun,
  input: TypedJson,
  wanted: (schema: unknown) => string | undefined,
): Promise<CaseOutcome> {
  const reply = await phaseRun.extract('sink', input);
  if (!reply.ok && 'unsupported' in reply) return skip(`The driver can not do it: ${reply.unsupported}`);
  if (!reply.ok) return fail(`The library failed on ${JSON.stringify(input)}: ${reply.error}`);
  const { schema } = reply;
  if (!Array.isArray(schema)) return fail(`For ${JSON.stringify(input)} the driver gave no schema.`);
  const want = wanted(schema);
  if (want === undefined) return PASSED;
  return fail(`For ${JSON.stringify(input)} came (${formatSchema(schema)}), not (${want}).`);
}

/** The map that tracking returns is the one that extracting does. */
async function checkReturned(phaseRun: PhaseRun): Promise<CaseOutcome> {
  const given = createCanaryEvent();
  const tracked = await phaseRun.trackEvent(given);
  const extracted = await phaseRun.extract('sink', given.properties);
  if (!tracked.ok || !extracted.ok) return skip('The driver can not track or extract these properties.');
  if (tracked.schema === undefined) return skip('The driver does not say what tracking returned.');
  if (formatSchema(tracked.schema) === formatSchema(extracted.schema)) return PASSED;
  return fail(
    `Tracking returned (${formatSchema(tracked.schema)}), extracting the same (${formatSchema(extracted.schema)}).`,
  );
}

function types(schema: unknown): string {
  const all = Array.isArray(schema) ? schema.filter(isJsonObject) : [];
  return all
    .map(({ name, type }) => `${String(name)}: ${String(type)}`)
    .toSorted()
    .join(', ');
}

function listNames(schema: unknown): string {
  const all = Array.isArray(schema) ? schema.filter(isJsonObject) : [];
  return all
    .map(({ name }) => String(name))
    .toSorted()
    .join(', ');
}
