import type { ServiceCase } from '../case.ts';
import { checkError, parseObject, checkStatus } from '../documented.ts';
import type { Answer } from '../../engine/http/client.ts';
import type { ServiceContext } from '../context.ts';

const decided = (
  id: string,
  clause: string,
  title: string,
  batches: number,
  run: (context: ServiceContext) => Promise<void>,
): ServiceCase => ({
  id: `profile/ingest-${id}`,
  clauses: [clause],
  level: 'profile',
  title,
  needs: ['profile', 'api key'],
  cost: { 'first ingestBatch': batches },
  run,
});

/** Decisions about the Inspector's ingest. */
export const profileInspector: readonly ServiceCase[] = [
  decided(
    'no-values',
    'PROFILE-INGEST-1',
    'An event with a value is refused: there is no field for it.',
    1,
    async (context) => {
      const property = { name: 'price', type: 'float', value: 9.5 };
      context.demand(
        receipt(await ingest(context, batch(context, [event(context, { schema: [property] })])), {
          accepted: 0,
          duplicates: 0,
          rejected: 1,
        }),
      );
    },
  ),
  decided(
    'bad-event',
    'PROFILE-INGEST-3',
    'A bad event is refused by itself, the others are kept.',
    1,
    async (context) => {
      const events = [event(context), event(context, { schema: 'nothing' }), event(context)];
      context.demand(
        receipt(await ingest(context, batch(context, events)), { accepted: 2, duplicates: 0, rejected: 1 }),
      );
    },
  ),
  decided('duplicates', 'PROFILE-INGEST-4', 'What comes again counts once.', 3, async (context) => {
    const first = batch(context, [event(context), event(context)]);
    context.demand(receipt(await ingest(context, first), { accepted: 2, duplicates: 0, rejected: 0 }));
    context.demand(receipt(await ingest(context, first), { accepted: 0, duplicates: 2, rejected: 0 }));
    const mixed = batch(context, [...first.events, event(context)]);
    context.demand(receipt(await ingest(context, mixed), { accepted: 1, duplicates: 2, rejected: 0 }));
  }),
  decided('key-only-ingests', 'PROFILE-INGEST-2', 'An API key opens no other operation.', 0, async (context) => {
    const { apiKey = '' } = context.session.options;
    const headers: [string, string][] = [
      ['api-key', apiKey],
      ['content-type', 'application/json'],
    ];
    context.demand(checkError(await context.create({ name: context.name() }, { headers, lane: 'nobody create' }), 401));
    context.demand(checkError(await context.export({ headers, lane: 'nobody export' }), 401));
  }),
];

interface Batch {
  readonly events: readonly object[];
}

function batch(context: ServiceContext, events: readonly object[]): Batch {
  const envelope = {
    batchId: context.uuid(),
    sentAt: new Date().toISOString(),
    library: { name: 'branchline-conformance', version: '1', platform: 'node' },
    app: { id: 'app.conformance', name: 'Conformance', version: '1' },
    environment: 'dev',
    samplingRate: 1,
  };
  return { ...envelope, events };
}

function event(context: ServiceContext, change: object = {}): object {
  return {
    messageId: context.uuid(),
    eventName: 'Product Viewed',
    observedAt: new Date().toISOString(),
    schema: [{ name: 'price', type: 'float' }],
    ...change,
  };
}

function ingest(context: ServiceContext, body: Batch): Promise<Answer> {
  return context.send({
    method: 'POST',
    path: '/inspector/batches/v1',
    lane: 'first ingestBatch',
    headers: [
      ['api-key', context.session.options.apiKey ?? ''],
      ['content-type', 'application/json'],
    ],
    body: JSON.stringify(body),
  });
}

/** Compares the counts of a receipt. */
function receipt(answer: Answer, expected: { accepted: number; duplicates: number; rejected: number }): string[] {
  const problems = checkStatus(answer, 200);
  const body = parseObject(answer);
  if ('problem' in body) return [...problems, body.problem];
  const { accepted, duplicates, rejected } = body.fields;
  const is = JSON.stringify({ accepted, duplicates, rejected: Array.isArray(rejected) ? rejected.length : rejected });
  const must = JSON.stringify(expected);
  return is === must ? problems : [...problems, `The receipt must be ${must}, but is ${is}.`];
}
