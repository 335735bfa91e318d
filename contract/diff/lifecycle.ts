import { isObject } from '../pointers.ts';

/** Since when and until when something is to be used, by its fields `deprecated` and `x-sunset`. */
export interface Lifecycle {
  isDeprecated: boolean;
  /** The day after which it may go, as `2026-12-31`; `invalid` where it is written in another way. */
  sunset: string | undefined;
}

export function readLifecycle(value: unknown): Lifecycle {
  const { deprecated, 'x-sunset': sunset }: Record<string, unknown> = isObject(value) ? value : {};
  return { isDeprecated: deprecated === true, sunset: sunset === undefined ? undefined : readDay(String(sunset)) };
}

function readDay(text: string): string {
  const [day = ''] = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text) ?? [];
  return day === '' || Number.isNaN(Date.parse(day)) ? 'invalid' : day;
}

/** How something is removed: as was told before, too early, or without a word. */
export function judgeRemoval({ isDeprecated, sunset }: Lifecycle, today: string): 'told' | 'early' | 'untold' {
  if (!isDeprecated) return 'untold';
  return sunset === undefined || (sunset !== 'invalid' && sunset < today) ? 'told' : 'early';
}
