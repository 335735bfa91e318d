import type { ErrorPlan, OperationPlan } from './plan.ts';

/** What tells best how something is told that is not there. */
const STATUSES = ['404', 'default', '4XX'];

/**
 * The shape in which most operations tell what a client did wrong; nothing where that is `{ "error": sentence }`, or they document
 * none.
 */
export function findUsualError(operations: readonly OperationPlan[]): ErrorPlan | undefined {
  const documented = operations
    .flatMap(({ responses }) => responses)
    .filter(({ status, media }) => /^(?:4|default)/i.test(status) && media.length > 0);
  const byShape = [...Map.groupBy(documented, ({ error }) => describeShape(error)).values()];
  const [usual = []] = byShape.toSorted((a, b) => b.length - a.length);
  const [nearest] = usual.toSorted((a, b) => rank(a.status) - rank(b.status));
  if (nearest?.error === undefined) return undefined;
  // Headers are those of one operation, such as a challenge.
  const { headers: _, ...plan } = nearest.error;
  return nearest.status === '404' ? plan : { ...plan, body: removeType(plan.body) };
}

/** An example may name the type of another problem. */
function removeType(body: unknown): unknown {
  const type: unknown = Object(body).type;
  return typeof type === 'string' && /[:/]/.test(type) ? { ...Object(body), type: 'about:blank' } : body;
}

/** The texts of examples differ from one operation to the next. */
function describeShape(error: ErrorPlan | undefined): string {
  if (error === undefined) return '';
  const { type, sentence, status, title } = error;
  return JSON.stringify([type, sentence, status, title]);
}

function rank(status: string): number {
  const index = STATUSES.findIndex((one) => one.toUpperCase() === status.toUpperCase());
  return index === -1 ? STATUSES.length : index;
}
