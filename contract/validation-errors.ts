import type { ErrorObject } from 'ajv/dist/2020.js';

/**
 * What a value lacks for its schema, in the validator's words, to stand behind the name of the value: `must be integer`,
 * `must NOT have additional properties: "stack"`.
 */
export function describeError(error: ErrorObject | undefined): string {
  const message = error?.message ?? 'does not fit its schema';
  const unknown = error === undefined ? undefined : readUnknownField(error);
  return unknown === undefined ? message : `${message}: ${JSON.stringify(unknown)}`;
}

/** The field that must not be there, where that is what an error says. */
export function readUnknownField({ params }: ErrorObject): string | undefined {
  const field: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof field === 'string' ? field : undefined;
}
