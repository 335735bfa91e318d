import type { Phase } from '../phase.ts';
import { batchSize, bounds, defaults, flushSeconds, staging } from './batching.ts';
import { forgotten } from './shapes.ts';
import { killed, partial, sampling, samplingShare, slow } from './delivery.ts';
import { development } from './development.ts';
import { extraction } from './extraction.ts';
import {
  redirect,
  reset,
  retryAfterDate,
  retryAfterSeconds,
  serverError,
  tooLarge,
  truncated,
  unauthorized,
  unavailable,
} from './failures.ts';

/** The longest first, so that the others go by beside them. */
export const phases: readonly Phase[] = [
  defaults,
  killed,
  unavailable,
  development,
  extraction,
  staging,
  batchSize,
  flushSeconds,
  bounds,
  serverError,
  reset,
  truncated,
  retryAfterSeconds,
  retryAfterDate,
  tooLarge,
  unauthorized,
  redirect,
  slow,
  partial,
  sampling,
  samplingShare,
  forgotten,
].toSorted((a, b) => b.seconds - a.seconds);
