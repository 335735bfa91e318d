import type { components } from '../client/generated/types.ts';

export type Volume = components['schemas']['EventVolume'];

const STEP_MS = { hour: 3_600_000, day: 86_400_000 };

/** When each hour or day of a volume began, in milliseconds since 1970, oldest first. */
export function listSteps({ step, from, total }: Volume): number[] {
  const first = Date.parse(from);
  return total.map((_, index) => first + index * STEP_MS[step]);
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const hour = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** An hour in the reader's zone; a day, which is one of UTC whatever the reader's zone. */
export function stepText(step: Volume['step'], begin: number): string {
  return (step === 'day' ? day : hour).format(begin);
}
