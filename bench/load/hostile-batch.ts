import { randomUUID } from 'node:crypto';

/** Batches of a tenant that means harm, or knows no better; each is of another version of its app. */
export type HostileForm =
  | {
      /** Many events with many properties, each with another type than in the batch before. */
      kind: 'freshProperties';
      batches: number;
      events: number;
      properties: number;
    }
  | {
      /** Many events, of whose properties the last one has a value, which is refused. */
      kind: 'refused';
      batches: number;
      events: number;
      properties: number;
    }
  | {
      /** Events of lists in lists, each of several types. */
      kind: 'nestedLists';
      batches: number;
      events: number;
      lists: number;
      levels: number;
    }
  | {
      /** Events without properties: each version in turn has all names, those of the last one are followed by the first's. */
      kind: 'names';
      batches: number;
      events: number;
      names: number;
      versions: number;
      /** Of a name, besides its number. */
      characters: number;
    }
  | {
      /** One event whose properties change their types with each version. */
      kind: 'versions';
      /** The first one's number, from 1. */
      from: number;
      to: number;
      properties: number;
    };

const TIME = '2026-01-02T03:04:05.678Z';
const ENVIRONMENTS = ['dev', 'staging', 'prod'];

/** The JSON of the batches, one at a time. */
export function* hostileBatches(form: HostileForm): Iterable<string> {
  if (form.kind === 'versions') {
    for (let version = form.from; version <= form.to; version += 1) {
      yield batchOf(version, ENVIRONMENTS[version % ENVIRONMENTS.length] ?? '', 1, () =>
        manyProperties(version, 0, form.properties),
      );
    }
    return;
  }
  if (form.kind === 'names') {
    const { batches, events, names, versions, characters } = form;
    for (let first = 0; first < batches * events; first += events) {
      const version = Math.floor(first / names) % versions;
      const nameOf = (event: number) => `${'n'.repeat(characters)}${(first + event) % names}`;
      yield batchOf(version, 'prod', events, () => [], nameOf);
    }
    return;
  }
  for (let batch = 0; batch < form.batches; batch += 1) {
    yield batchOf(batch, 'prod', form.events, (event) => schemaOf(form, batch, event));
  }
}

function schemaOf(form: Exclude<HostileForm, { kind: 'names' | 'versions' }>, batch: number, event: number): object[] {
  if (form.kind === 'freshProperties') return manyProperties(batch, event, form.properties);
  if (form.kind === 'refused') {
    const refused = { name: 'last', type: 'string', value: batch };
    return [...numbered(form.properties, (property) => ({ name: `property ${property}`, type: 'string' })), refused];
  }
  // The name of the first makes each event new.
  return numbered(form.lists, (list) => ({
    name: list === 0 ? `${batch} ${event}` : `list ${list}`,
    ...listOf(form.levels),
  }));
}

/** Short names, so that as many properties as can be fit below the limit of a batch's size. */
function manyProperties(number: number, event: number, properties: number): object[] {
  const type = number % 2 === 0 ? 'int' : 'null';
  return numbered(properties, (property) => ({ name: (event * properties + property).toString(36), type }));
}

const PLAIN_TYPES = ['int', 'float', 'boolean', 'string', 'null'];

function listOf(levels: number): object {
  const plain = PLAIN_TYPES.map((type) => ({ type }));
  return { type: 'list', items: levels > 1 ? [...plain, listOf(levels - 1)] : plain };
}

function batchOf(
  number: number,
  environment: string,
  events: number,
  schema: (event: number) => object[],
  nameOf = (event: number) => `Attack ${event}`,
): string {
  return JSON.stringify({
    batchId: randomUUID(),
    sentAt: TIME,
    library: { name: 'bench', version: '1', platform: 'android' },
    app: { id: 'com.example.attack', name: 'Attack', version: `1.0.${number}` },
    environment,
    samplingRate: 1,
    events: numbered(events, (event) => ({
      messageId: randomUUID(),
      eventName: nameOf(event),
      observedAt: TIME,
      schema: schema(event),
    })),
  });
}

function numbered<Entry>(length: number, make: (index: number) => Entry): Entry[] {
  return Array.from({ length }, (_, index) => make(index));
}
