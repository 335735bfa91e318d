/** What a broken client does wrong, and the one case that has to say so. */
export const FAULTS = {
  'value-in-header': 'values/never-sent',
  'value-in-body': 'values/never-sent',
  'loses-an-event': 'sends/all',
  'own-schema-lost': 'sends/given-schema',
  'count-is-text': 'extraction/types',
  'map-loses-a-key': 'extraction/map',
  'object-loses-a-field': 'extraction/object',
  'fails-without-properties': 'extraction/null',
  'returns-nothing': 'extraction/returned',
  'sends-at-ten': 'batching/accumulates',
  'ignores-the-size': 'batching/size',
  'ignores-the-interval': 'batching/interval',
  'batches-in-development': 'batching/development',
  'size-can-not-be-set': 'setters/size',
  'interval-can-not-be-set': 'setters/interval',
  'looks-at-the-interval-when-tracking': 'batching/timer',
  'staging-as-development': 'batching/staging',
  'other-path': 'wire/path',
  'other-key': 'wire/key',
  'key-in-another-header': 'wire/key-nowhere-else',
  'no-content-type': 'wire/content-type',
  'gzip-that-is-none': 'wire/encoding',
  'too-many-bytes': 'wire/size',
  'envelope-with-a-field-more': 'wire/envelope',
  'event-with-a-field-more': 'wire/events',
  'other-environment': 'wire/environment',
  'float-as-int': 'wire/schema',
  'new-message-ids': 'ids/message',
  'new-batch-ids': 'ids/batch',
  'invents-an-event': 'sends/only',
  'sends-accepted-again': 'once/accepted',
  'sends-rejected-again': 'once/rejected',
  'last-first': 'sends/order',
  'gives-up-after-503': 'retry/unavailable',
  'gives-up-after-500': 'retry/server-error',
  'gives-up-after-reset': 'retry/reset',
  'half-a-receipt-is-enough': 'retry/truncated',
  'pauses-shrink': 'retry/backoff',
  'ignores-seconds': 'retry/after-seconds',
  'ignores-date': 'retry/after-date',
  'gives-up-after-413': 'retry/too-large',
  'insists-after-401': 'retry/unauthorized',
  'follows-redirects': 'redirect/not-followed',
  'waits-for-the-network': 'host/not-blocked',
  'fails-in-the-app': 'host/no-failure',
  'keeps-nothing': 'restart/events',
  'ignores-a-rate-of-none': 'sampling/rate',
  'knows-only-all-or-nothing': 'sampling/share',
  'never-sends-the-schema': 'shapes/asked-for',
  'clock-hours-off': 'times/observed-at',
  'observed-at-the-start': 'times/observed-at',
  'observed-when-sent': 'times/observed-at',
} as const;

/** What more than one case has to say. */
const BROAD_FAULTS = ['never-tries-again', 'tries-only-twice'] as const;

export type Fault = keyof typeof FAULTS | (typeof BROAD_FAULTS)[number];

export function isFault(text: string): text is Fault {
  return Object.hasOwn(FAULTS, text) || BROAD_FAULTS.some((fault) => fault === text);
}
