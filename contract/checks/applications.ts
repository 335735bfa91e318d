import { visitSchemas } from '../mending/schema-visitor.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { valueAt } from '../pointers.ts';
import type { Finding } from './check.ts';
import { listSameValue } from './cycles.ts';

/** Far more than any contract needs: a value takes so many checks, each of which may have an error of its own. */
const MOST_APPLICATIONS = 10_000;

/**
 * A schema that checks one value by too many others: where each `allOf` names the one below it three times, they triple from level to
 * level. Expects references that lead somewhere.
 */
export function checkApplications(document: OpenApiDocument): Finding[] {
  const counts = new Map<string, number>();
  const count = (pointer: string): number => {
    const known = counts.get(pointer);
    if (known !== undefined) return known;
    // A schema that is made of itself is told of elsewhere.
    counts.set(pointer, 0);
    const parts = listSameValue(valueAt(document, pointer), pointer);
    const sum = parts.reduce((all, part) => all + count(part), 1);
    counts.set(pointer, sum);
    return sum;
  };
  const isTooMany = (pointer: string): boolean => count(pointer) > MOST_APPLICATIONS;
  const findings: Finding[] = [];
  visitSchemas(document, (schema, pointer) => {
    if (!isTooMany(pointer) || listSameValue(schema, pointer).some(isTooMany)) return;
    const most = MOST_APPLICATIONS.toLocaleString('en');
    const sentence = `A value is checked here by more than ${most} schemas, by way of "allOf", "anyOf", "oneOf" and references; name each once.`;
    findings.push({ pointer, sentence });
  });
  return findings;
}
