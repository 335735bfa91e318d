import type { components } from '../client/generated/types.ts';

export type Volume = components['schemas']['EventVolume'];

const STEP_MS = { hour: 3_600_000, day: 86_400_000 };

/** The start of each hour or day of a volume, in milliseconds since 1970, oldest first. */
export function listSteps({ step, from, total }: Volume): number[] {
  const first = Date.parse(from);
  return total.map((_, index) => first + index * STEP_MS[step]);
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const hour = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats an hour in the reader's time zone, or a day, which is always a UTC day. */
export function stepText(step: Volume['step'], begin: number): string {
  return (step === 'day' ? day : hour).format(begin);
}
