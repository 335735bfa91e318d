import { CouldNotRun } from '../../could-not-run.ts';
import { type Answer, TAKEN } from './answer.ts';

/** How a plan is written, for the help. */
export const PLAN_WORDS =
  'ok, a status such as 503, 429=5, 429=date:5, reset, cut, slow=3, reject=2, sampling=0, redirect';

/**
 * Reads the answers to the first requests: `503,429=5,reset`. After them everything is taken.
 *
 * @throws CouldNotRun for an unknown word.
 */
export function parsePlan(text: string): Answer[] {
  return text.split(',').map((word) => parseAnswer(word.trim()));
}

function parseAnswer(word: string): Answer {
  const [name = '', value = ''] = word.split('=');
  const status = Number(name);
  if (/^[45]\d\d$/.test(name) && (value === '' || /^(date:)?\d+$/.test(value))) return parseRefusal(status, value);
  if (value === '' && Object.hasOwn(PLAIN, name)) return PLAIN[name] ?? TAKEN;
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
  if (number !== undefined && name === 'slow') return { kind: 'taken', afterSeconds: number };
  if (number !== undefined && name === 'reject') return { kind: 'taken', rejecting: number };
  if (number !== undefined && number <= 1 && name === 'sampling') return { kind: 'taken', samplingRate: number };
  throw new CouldNotRun(`The plan has "${word}", which is no answer; there are: ${PLAN_WORDS}.`);
}

const PLAIN: Readonly<Record<string, Answer>> = {
  ok: TAKEN,
  reset: { kind: 'reset' },
  cut: { kind: 'taken', truncated: true },
  redirect: { kind: 'redirected', status: 307 },
};

function parseRefusal(status: number, value: string): Answer {
  if (value === '') return { kind: 'refused', status };
  const form = value.startsWith('date:') ? 'date' : 'seconds';
  return { kind: 'refused', status, retryAfter: { form, seconds: Number(value.replace('date:', '')) } };
}
