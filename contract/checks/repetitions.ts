import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { visitSchemas } from '../mending/schema-visitor.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { isObject, pointerTo } from '../pointers.ts';
import type { Finding } from './check.ts';

/** Longer than any text that a contract describes by a pattern; who makes such a text, or looks for it, writes the repetitions out. */
const MOST_REPETITIONS = 100_000;

/** A pattern whose counted repetitions are too many to be written out: `a{1000000000}`, `((a{1000}){1000}){1000}`. */
export function checkRepetitions(document: OpenApiDocument): Finding[] {
  const findings: Finding[] = [];
  const check = (pattern: unknown, pointer: string): void => {
    if (typeof pattern !== 'string' || countRepetitions(pattern) <= MOST_REPETITIONS) return;
    const most = MOST_REPETITIONS.toLocaleString('en');
    const sentence = `The counted repetitions of "${pattern}" are more than ${most} when they are written out; ask for a length by "minLength" instead.`;
    findings.push({ pointer, sentence });
  };
  visitSchemas(document, ({ pattern, patternProperties }, pointer) => {
    check(pattern, pointerTo(pointer, 'pattern'));
    if (!isObject(patternProperties)) return;
    for (const name of Object.keys(patternProperties)) check(name, pointerTo(pointer, 'patternProperties', name));
  });
  return findings;
}

/** How many repetitions a pattern has once those that it asks for at least are written out. */
function countRepetitions(pattern: string): number {
  // Most have none, and parsing takes longer than to look.
  if (!/\{\d/.test(pattern)) return 0;
  const parsed = parse(pattern, true) ?? parse(pattern, false);
  return parsed === undefined ? 0 : countAll(parsed.alternatives);
}

/** Patterns are used without the flag `u` where they are none with it. */
function parse(pattern: string, unicode: boolean): AST.Pattern | undefined {
  try {
    return new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode });
  } catch {
    return undefined;
  }
}

function countAll(alternatives: readonly AST.Alternative[]): number {
  return alternatives.reduce((sum, { elements }) => elements.reduce((all, one) => all + count(one), sum), 0);
}

function count(element: AST.Element): number {
  if (element.type === 'Quantifier') return Math.max(1, element.min) * Math.max(1, count(element.element));
  return 'alternatives' in element ? countAll(element.alternatives) : 0;
}
