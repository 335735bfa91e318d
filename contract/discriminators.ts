import type { OpenApiDocument, Schema } from './openapi.ts';
import { isObject, referencePointer, valueAt } from './pointers.ts';
import { resolveIn } from './references.ts';
import { mapSchemas } from './schema-map.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One of the schemas that a discriminator chooses from. */
interface Alternative {
  reference: string;
  /** The name of the schema: what means it where nothing else is said. */
  name: string;
  /** The values that `mapping` gives it. */
  mapped: readonly string[];
  /** The values that its own property allows. */
  allowed: readonly string[];
}

/** The same with the values that mean it. */
interface Branch {
  reference: string;
  values: readonly string[];
}

/** A property, and which of its values mean which schema. */
interface Choice {
  property: string;
  branches: readonly Branch[];
}

const COMPONENTS = '#/components/schemas/';

/**
 * The document with discriminators that decide: its validators judge a value by the schema that the property names, and refuse a name
 * that is none. JSON Schema knows no discriminators, so they are written as conditions.
 *
 * A choice is left as it is where it does not say which value means which schema: an alternative that is no reference, or one value
 * for two.
 */
export function applyDiscriminators(document: OpenApiDocument): OpenApiDocument {
  if (!JSON.stringify(document).includes('"discriminator"')) return document;
  return mapSchemas(splitParents(document, decideParent), (schema) => decideChoice(document, schema));
}

function decideChoice(document: OpenApiDocument, schema: Fields): Fields {
  const choice = readChoice(document, schema);
  if (choice === undefined) return schema;
  const { oneOf, anyOf, ...rest } = schema;
  const decision = decide(choice.property, choice.branches);
  const isNullable = [oneOf ?? anyOf].flat().some(isNull);
  const part = isNullable ? { if: { type: 'null' }, else: decision } : decision;
  return { ...rest, allOf: [...(Array.isArray(rest['allOf']) ? rest['allOf'] : []), part] };
}

/** How a schema with alternatives decides between them; `undefined` where it does not say. */
export function readChoice(document: OpenApiDocument, schema: Fields): Choice | undefined {
  const property = readPropertyName(schema);
  const alternatives = schema['oneOf'] ?? schema['anyOf'];
  if (property === undefined || !Array.isArray(alternatives)) return undefined;
  const real = alternatives.filter((one) => !isNull(one));
  const branches = tellApart(real.map((one) => readAlternative(document, schema, property, one)));
  return branches === undefined ? undefined : { property, branches };
}

/**
 * The document in which a schema with a discriminator, of which others are made by `allOf`, is the first of these, for whoever makes
 * a value of it.
 */
export function exemplifyParents(document: OpenApiDocument): OpenApiDocument {
  return splitParents(document, (_own, name, [first]) => ({
    allOf: [{ $ref: first.reference }, { type: 'object', properties: { [name]: { enum: first.values } } }],
  }));
}

/** Such a schema decides between those that are made of it. */
function decideParent(own: Fields, name: string, branches: readonly Branch[]): Fields {
  return { ...own, allOf: [...(Array.isArray(own['allOf']) ? own['allOf'] : []), decide(name, branches)] };
}

/**
 * Replaces each schema with a discriminator of which others are made by `allOf`. They go on to be made of what it was: it would ask for
 * itself without end.
 *
 * @param replace is given what it was without the discriminator, the property, and what its values mean: others, and at last itself
 */
function splitParents(
  document: OpenApiDocument,
  replace: (own: Fields, property: string, branches: readonly [Branch, ...Branch[]]) => Fields,
): OpenApiDocument {
  const schemas: Record<string, Schema> = { ...document.components?.schemas };
  for (const [parent, schema] of Object.entries(schemas)) {
    const name = isObject(schema) ? readPropertyName(schema) : undefined;
    if (name === undefined || !isObject(schema) || 'oneOf' in schema || 'anyOf' in schema) continue;
    const children = findChildren(schemas, parent);
    const branches = tellApart(
      children.map((child) => readAlternative(document, schema, name, { $ref: COMPONENTS + escape(child) })),
    );
    const base = `${parent}.base`;
    const [first, ...others] = branches ?? [];
    if (first === undefined || base in schemas) continue;
    const { discriminator: _, ...own } = schema;
    const taken = new Set([first, ...others].flatMap(({ values }) => values));
    const values = [...readValues(document, schema, name), parent].filter((value) => !taken.has(value));
    const itself = { reference: COMPONENTS + escape(base), values };
    schemas[base] = own;
    schemas[parent] = replace(own, name, [first, ...others, itself]);
    for (const child of Object.keys(schemas)) {
      if (child !== parent && child !== base) schemas[child] = madeOf(schemas[child] ?? true, parent, base);
    }
  }
  return { ...document, components: { ...document.components, schemas } };
}

/** A schema whose `allOf` names one schema instead of another. */
function madeOf(schema: Schema, before: string, after: string): Schema {
  if (!isObject(schema) || !Array.isArray(schema['allOf'])) return schema;
  const allOf = schema['allOf'].map((part: unknown) =>
    isReferenceTo(part, before) ? { ...part, $ref: COMPONENTS + escape(after) } : part,
  );
  return { ...schema, allOf };
}

/** The schemas that are made of one, also by way of others. */
export function findChildren(schemas: Readonly<Record<string, Schema>>, parent: string): string[] {
  const found = new Set([parent]);
  // A set goes on to what is added to it meanwhile.
  for (const one of found) {
    for (const [name, schema] of Object.entries(schemas)) {
      const parts: unknown = isObject(schema) ? schema['allOf'] : undefined;
      if (Array.isArray(parts) && parts.some((part) => isReferenceTo(part, one))) found.add(name);
    }
  }
  found.delete(parent);
  return [...found];
}

function isReferenceTo(part: unknown, name: string): part is { $ref: string } {
  return (
    isObject(part) &&
    typeof part['$ref'] === 'string' &&
    referencePointer(part['$ref']) === `/components/schemas/${escape(name)}`
  );
}

function decide(name: string, branches: readonly Branch[]): Fields {
  const known = (values: readonly string[]): Fields => ({ required: [name], properties: { [name]: { enum: values } } });
  return {
    type: 'object',
    ...known(branches.flatMap(({ values }) => values)),
    allOf: branches
      .filter(({ values }) => values.length > 0)
      .map(({ reference, values }) => ({
        if: { not: { type: 'object', ...known(values) } },
        else: { $ref: reference },
      })),
  };
}

function readPropertyName({ discriminator }: Fields): string | undefined {
  const name = isObject(discriminator) ? discriminator['propertyName'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function readAlternative(
  document: OpenApiDocument,
  owner: Fields,
  property: string,
  alternative: unknown,
): Alternative | undefined {
  const reference = isObject(alternative) ? alternative['$ref'] : undefined;
  if (typeof reference !== 'string') return undefined;
  const name = reference.split('/').at(-1) ?? '';
  const discriminator = isObject(owner['discriminator']) ? owner['discriminator'] : {};
  const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
  const mapped = mapping.filter(([, target]) => target === reference || target === name).map(([value]) => value);
  return { reference, name, mapped, allowed: readValues(document, { $ref: reference }, property) };
}

/** Which values mean which schema; `undefined` where that can't be said. */
function tellApart(alternatives: readonly (Alternative | undefined)[]): Branch[] | undefined {
  const known = alternatives.filter((one) => one !== undefined);
  if (known.length < alternatives.length) return undefined;
  const named = known.map(({ reference, name, mapped }): Branch => ({
    reference,
    values: mapped.length > 0 ? mapped : [name],
  }));
  const described = known.map(({ reference, name, mapped, allowed }): Branch => {
    const values = [...new Set([...mapped, ...allowed])];
    return { reference, values: values.length > 0 ? values : [name] };
  });
  if (!hasRepetition(described)) return described;
  // A property that all of them have from the same schema allows the values of all.
  const areAllowed = named.every(({ values }, index) => {
    const allowed = known[index]?.allowed ?? [];
    return allowed.length === 0 || values.every((value) => allowed.includes(value));
  });
  return areAllowed && !hasRepetition(named) ? named : undefined;
}

/** The texts that a schema allows a property to be, where it names them. */
function readValues(document: OpenApiDocument, written: unknown, property: string, depth = 0): string[] {
  const { value: schema } = resolveIn<Schema>(document, written as Schema);
  if (!isObject(schema) || depth > 8) return [];
  const described = resolveIn<Schema>(document, valueAt(schema, `/properties/${escape(property)}`) as Schema).value;
  const own: unknown[] = isObject(described) ? [described['enum'] ?? described['const'] ?? []].flat() : [];
  const texts = own.filter((value) => typeof value === 'string');
  if (texts.length > 0) return texts;
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => schema[keyword] ?? []);
  return parts.flatMap((part) => readValues(document, part, property, depth + 1));
}

function hasRepetition(branches: readonly Branch[]): boolean {
  const values = branches.flatMap((branch) => branch.values);
  return new Set(values).size < values.length;
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'null';
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
