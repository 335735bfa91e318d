import { isJsonObject } from '@branchline/contract';
import { bait, map } from '../canaries.ts';
import type { TypedJson } from '../driver.ts';
import type { Phase } from '../phase.ts';
import { schemaText } from '../schema-text.ts';
import type { Stage } from '../phase-run.ts';
import { type Verdict, failed, PASSED, skipped } from '../outcome.ts';

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
  run: async (stage) => {
    await stage.start();
    const same = 'count: int, name: string, title: string';
    stage.judge('extraction/types', await judge(stage, TYPED, (schema) => (types(schema) === same ? undefined : same)));
    const names = 'first, second';
    const named = (schema: unknown): string | undefined => (namesOf(schema) === names ? undefined : names);
    stage.judge('extraction/map', await judge(stage, KEYS, named));
    stage.judge('extraction/object', await judge(stage, FIELDS, named));
    stage.judge('extraction/null', await judge(stage, { null: true }, () => undefined));
    stage.judge('extraction/returned', await returned(stage));
  },
};

/** @param wanted what was wanted instead of the schema, if it is not that. */
async function judge(
  stage: Stage,
  input: TypedJson,
  wanted: (schema: unknown) => string | undefined,
): Promise<Verdict> {
  const reply = await stage.extract('sink', input);
  if (!reply.ok && 'unsupported' in reply) return skipped(`The driver can not do it: ${reply.unsupported}`);
  if (!reply.ok) return failed(`The library failed on ${JSON.stringify(input)}: ${reply.error}`);
  const { schema } = reply;
  if (!Array.isArray(schema)) return failed(`For ${JSON.stringify(input)} the driver gave no schema.`);
  const want = wanted(schema);
  if (want === undefined) return PASSED;
  return failed(`For ${JSON.stringify(input)} came (${schemaText(schema)}), not (${want}).`);
}

/** The map that tracking returns is the one that extracting does. */
async function returned(stage: Stage): Promise<Verdict> {
  const given = bait();
  const tracked = await stage.trackEvent(given);
  const extracted = await stage.extract('sink', given.properties);
  if (!tracked.ok || !extracted.ok) return skipped('The driver can not track or extract these properties.');
  if (tracked.schema === undefined) return skipped('The driver does not say what tracking returned.');
  if (schemaText(tracked.schema) === schemaText(extracted.schema)) return PASSED;
  return failed(
    `Tracking returned (${schemaText(tracked.schema)}), extracting the same (${schemaText(extracted.schema)}).`,
  );
}

function types(schema: unknown): string {
  const all = Array.isArray(schema) ? schema.filter(isJsonObject) : [];
  return all
    .map(({ name, type }) => `${String(name)}: ${String(type)}`)
    .toSorted()
    .join(', ');
}

function namesOf(schema: unknown): string {
  const all = Array.isArray(schema) ? schema.filter(isJsonObject) : [];
  return all
    .map(({ name }) => String(name))
    .toSorted()
    .join(', ');
}
