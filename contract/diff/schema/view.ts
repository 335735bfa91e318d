import type { Located } from '../../contract.ts';
import type { OpenApiDocument } from '../../openapi.ts';
import { isObject, pointerTo, referencePointer, valueAt } from '../../pointers.ts';

/** A schema object without what it is made of. */
export interface Part {
  pointer: string;
  schema: Readonly<Record<string, unknown>>;
  /** It also allows null, by an alternative beside it. */
  orNull: boolean;
}

/** Alternatives of which a value fits one, or at least one. */
export interface Group {
  kind: 'oneOf' | 'anyOf';
  pointer: string;
  /** The schema that they stand in. */
  owner: Readonly<Record<string, unknown>>;
  branches: readonly Located<unknown>[];
}

/**
 * All that is asked of a value: references followed and `allOf` taken apart, so that it does not matter how it was written. A value
 * fits where it fits each part and each group.
 */
export interface View {
  /** The same for the same. */
  key: string;
  /** Where it begins: a reference, rather than what it leads to. */
  pointer: string;
  parts: readonly Part[];
  groups: readonly Group[];
  /** No value fits. */
  isFalse: boolean;
}

/** What is asked of a value that has to fit several schemas; none of them: nothing is asked. */
export function viewOf(document: OpenApiDocument, schemas: readonly Located<unknown>[]): View {
  const parts = new Map<string, Part>();
  const groups = new Map<string, Group>();
  let isFalse = false;

  const add = ({ value, pointer }: Located<unknown>, orNull = false): void => {
    if (value === false) isFalse = true;
    if (!isObject(value)) return;
    if (value['not'] === true) isFalse = true;
    const known = parts.get(pointer);
    if (known !== undefined && (orNull || !known.orNull)) return;
    parts.set(pointer, { pointer, schema: value, orNull });
    const target = typeof value['$ref'] === 'string' ? referencePointer(value['$ref']) : undefined;
    if (target !== undefined) add({ value: valueAt(document, target), pointer: target }, orNull);
    for (const branch of listBranches(value, pointer, 'allOf')) add(branch, orNull);
    for (const kind of ['oneOf', 'anyOf'] as const) {
      const branches = listBranches(value, pointer, kind);
      const others = branches.filter((branch) => !isNull(branch.value));
      const [only] = others;
      const allowsNull = others.length < branches.length;
      if (only !== undefined && others.length === 1 && (!allowsNull || isPlain(document, only.value, kind))) {
        add(only, orNull || allowsNull);
      } else if (branches.length > 0) {
        groups.set(`${pointer}/${kind}`, { kind, pointer: pointerTo(pointer, kind), owner: value, branches });
      }
    }
  };
  for (const schema of schemas) add(schema);
  const all = [...parts.values()];
  const key = [
    ...all.map(({ pointer, orNull }) => pointer + (orNull ? '?' : '')),
    ...groups.keys(),
    String(isFalse),
  ].toSorted();
  return {
    key: key.join(' '),
    pointer: schemas[0]?.pointer ?? '',
    parts: all,
    groups: [...groups.values()],
    isFalse,
  };
}

/** What is asked of a value beside one group, together with one of its branches. */
export function withBranch(document: OpenApiDocument, view: View, group: Group, branch: Located<unknown>): View {
  const chosen = viewOf(document, [branch]);
  return {
    key: `${view.key} without ${group.pointer} with ${chosen.key}`,
    pointer: view.pointer,
    parts: [...view.parts, ...chosen.parts],
    groups: [...view.groups.filter(({ pointer }) => pointer !== group.pointer), ...chosen.groups],
    isFalse: view.isFalse || chosen.isFalse,
  };
}

/** Where a keyword stands in the parts of a view. */
export function findKeyword(view: View, keyword: string): (Located<unknown> & { part: Part })[] {
  return view.parts.flatMap((part) =>
    Object.hasOwn(part.schema, keyword)
      ? [{ value: part.schema[keyword], pointer: pointerTo(part.pointer, keyword), part }]
      : [],
  );
}

function listBranches(schema: Record<string, unknown>, pointer: string, keyword: string): Located<unknown>[] {
  const list = schema[keyword];
  if (!Array.isArray(list)) return [];
  return list.map((value: unknown, index) => ({ value, pointer: pointerTo(pointer, keyword, index) }));
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && (schema['type'] === 'null' || schema['const'] === null);
}

/**
 * Whether null can be allowed beside a schema by its type and values alone: nothing else in it is about null. Where one alternative
 * is to fit and no other, it must not allow null itself.
 */
function isPlain(document: OpenApiDocument, schema: unknown, kind: Group['kind']): boolean {
  const { groups, parts, isFalse } = viewOf(document, [{ value: schema, pointer: '' }]);
  const others = ['not', 'if', 'then', 'else'];
  const allowsNull = !parts.some(({ schema: { type } }) => type !== undefined && ![type].flat().includes('null'));
  return (
    !isFalse &&
    groups.length === 0 &&
    !(kind === 'oneOf' && allowsNull) &&
    !parts.some((part) => others.some((keyword) => keyword in part.schema))
  );
}
