import { printUnion } from './code.ts';

const CLIENT_ERRORS =
  '400 401 402 403 404 405 406 407 408 409 410 411 412 413 414 415 416 417 418 421 422 423 424 425 426 428 429 431 451';

/** The types that stand for a class of statuses, or all: name, type and what it is. */
export const STATUS_TYPES: readonly [name: string, type: string, doc: string][] = [
  ['Informational', '100 | 101 | 102 | 103', 'The statuses of class 1xx.'],
  [
    'Success',
    printUnion(['200', '201', '202', '203', '204', '205', '206', '207', '208', '226']),
    'The statuses of class 2xx.',
  ],
  ['Redirection', '300 | 301 | 302 | 303 | 304 | 305 | 307 | 308', 'The statuses of class 3xx.'],
  ['ClientError', printUnion(CLIENT_ERRORS.split(' ')), 'The statuses of class 4xx.'],
  ['ServerError', '500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511', 'The statuses of class 5xx.'],
  ['HttpStatus', 'Informational | Success | Redirection | ClientError | ServerError', 'Any HTTP status.'],
];
