import { _, type Ajv2020, type KeywordCxt } from 'ajv/dist/2020.js';
import { findKeyword } from './keyword-code.ts';

/**
 * Has Ajv compare objects and lists of `enum` and `const` by what they hold. Its own asks them for `toString` and `valueOf`, which a value
 * that was sent may have as fields.
 */
export function compareByFields(ajv: Ajv2020): Ajv2020 {
  compareWith(ajv, 'enum', ({ schema }) => schema as unknown[]);
  compareWith(ajv, 'const', ({ schema }) => [schema]);
  return ajv;
}

function compareWith(ajv: Ajv2020, name: string, listAllowed: (context: KeywordCxt) => readonly unknown[]): void {
  const keyword = findKeyword(ajv, name);
  const compareScalars = keyword.code;
  keyword.code = (context) => {
    const allowed = listAllowed(context);
    if (allowed.every((one) => typeof one !== 'object' || one === null)) return compareScalars(context);
    const isAllowed = (value: unknown): boolean => allowed.some((one) => isEqual(one, value));
    context.pass(_`${context.gen.scopeValue('func', { ref: isAllowed })}(${context.data})`);
  };
}

function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.entries(one);
  if (fields.length !== Object.keys(other).length) return false;
  return fields.every(([name, value]) => Object.hasOwn(other, name) && isEqual(value, Reflect.get(other, name)));
}
