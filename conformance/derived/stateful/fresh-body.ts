import { documentedMediaType, isJsonObject, type Json, toPointer } from '@branchline/contract';
import type { ContractSession } from '../session.ts';

/** Large enough to be nobody's, and small enough for any integer. */
const LARGEST_ID = 2 ** 31 - 1;
/** Of contracts that bound the ids in their paths. */
const SMALL_IDS = Array.from({ length: 100 }, (_, index) => index + 1);

/**
 * A body like another one that names something else: each text and number is changed where the schema allows it, so that nothing
 * that has to be unique is taken.
 *
 * @param purpose - chooses the values, which no other run has.
 */
export function freshenBody(session: ContractSession, operationId: string, body: Json, purpose: string): Json {
  const pointer = findBodySchema(session, operationId);
  if (pointer === undefined || !isJsonObject(body)) return body;
  const accepts = session.requestSchemas(pointer);
  return Object.entries(body).reduce((fresh, [name, value]) => {
    const text = session.novelty.text(`${purpose} ${name}`, 12);
    const isId = typeof value === 'number' && name.toLowerCase() === 'id';
    const candidates = isId ? [chooseId(session, operationId, text)] : proposeValues(value, text);
    const fitting = candidates
      .map((candidate) => ({ ...fresh, [name]: candidate }))
      .find((changed) => accepts(changed));
    return fitting ?? fresh;
  }, body);
}

/** The pointer of the schema of the body that an operation's ordinary request has. */
export function findBodySchema(session: ContractSession, operationId: string): string | undefined {
  const { requestBody } = session.operation(operationId) ?? {};
  const { contentType, body } = session.ordinaryCase(operationId)?.request ?? {};
  if (requestBody === undefined || contentType === undefined || body === undefined || 'text' in body) return undefined;
  const type = documentedMediaType(Object.keys(requestBody.value.content), contentType);
  return type === undefined ? undefined : requestBody.pointer + toPointer(['content', type, 'schema']);
}

/** One that the paths of what is created take, as far as there is one that was not chosen before. */
function chooseId(session: ContractSession, operationId: string, text: string): number {
  const number = Number.parseInt(text.slice(-6), 36) % LARGEST_ID;
  return session.resources.chooseId(operationId, [number, ...SMALL_IDS]) ?? number;
}

/** The plainest first. Dates, ids of other things and the like are left alone: they may have to be what they are. */
function proposeValues(value: Json, text: string): Json[] {
  if (typeof value === 'number') return Number.isInteger(value) ? [value + 1, value - 1] : [];
  if (typeof value !== 'string') return [];
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value) || /^\d{4}-\d\d-\d\d/.test(value)) return [];
  if (/^[^@\s]+@[^@\s]+$/.test(value)) return [`${text.slice(-6)}${value}`];
  return [
    `${value}-${text.slice(-6)}`,
    `${value}${text.slice(-6)}`,
    text.replaceAll(/\d/g, 'x').slice(0, value.length),
  ];
}
