import { ELEMENTS, type ElementSchema, type EventSchema } from '../event-schema.ts';
import type { EventLimits } from '../limits.ts';
import { CanonicalTexts, measureSchema } from '../shape.ts';
import { quote } from '../truncate.ts';

/**
 * Whether a schema is too large to be looked at: it has too many properties or types of elements. Stops counting there, so it
 * costs the same however much more there is.
 *
 * @param schema anything, whatever it holds
 * @returns a sentence; undefined where it is not too large
 */
export function findExcess(schema: unknown, limits: EventLimits): string | undefined {
  let properties = 0;
  let elementTypes = 0;
  const lists = [schema];
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    if (!Array.isArray(list)) continue;
    for (const entry of list) {
      if (typeof entry !== 'object' || entry === null) continue;
      if ('name' in entry) properties += 1;
      else elementTypes += 1;
      if (properties > limits.maxProperties) return `The event has more than ${limits.maxProperties} properties.`;
      if (elementTypes > limits.maxElementTypes) {
        return `The event's lists name more than ${limits.maxElementTypes} types of elements.`;
      }
      if ('items' in entry) lists.push(entry.items);
      if ('properties' in entry) lists.push(entry.properties);
    }
  }
  return undefined;
}

/**
 * What is wrong with a schema that JSON Schema finds right: its paths are too long, it is nested too deep, or says something
 * twice.
 *
 * @param texts learns the elements of its lists
 * @returns a sentence about the first thing that is wrong; undefined where nothing is
 */
export function findProblem(
  schema: EventSchema,
  limits: EventLimits,
  texts = new CanonicalTexts(),
): string | undefined {
  const { pathCharacters } = measureSchema({ type: 'object', properties: schema });
  if (pathCharacters > limits.maxPathCharacters) {
    return (
      `The names of the event's properties, each with those of the objects around it, have more than ${limits.maxPathCharacters} ` +
      'characters together.'
    );
  }
  // First of all, since to compare the types of lists takes the longer the deeper they are.
  for (const problem of problemsOfDepth({ type: 'object', properties: schema }, [], limits.maxDepth)) return problem;
  for (const problem of problemsOfProperties(schema, [], texts)) return problem;
  return undefined;
}

/** The names from the event down; null stands for the elements of a list. */
type Path = readonly (string | null)[];

/** Both the properties of an object and the elements of a list are one level deeper. */
function* problemsOfDepth(
  { items = [], properties = [] }: ElementSchema,
  path: Path,
  maxDepth: number,
): Iterable<string> {
  if (path.length > maxDepth) yield `${subject(path)} is nested deeper than ${maxDepth} levels.`;
  for (const property of properties) yield* problemsOfDepth(property, [...path, property.name], maxDepth);
  for (const item of items) yield* problemsOfDepth(item, [...path, null], maxDepth);
}

function* problemsOfProperties(schema: EventSchema, parent: Path, texts: CanonicalTexts): Iterable<string> {
  const twice = findRepeated(schema.map(({ name }) => name.toWellFormed()));
  if (twice !== undefined) yield `${subject(parent)} has two properties named ${quote(twice)}.`;
  for (const property of schema) yield* problemsOfType(property, [...parent, property.name], texts);
}

function* problemsOfType(
  { items = [], properties = [] }: ElementSchema,
  path: Path,
  texts: CanonicalTexts,
): Iterable<string> {
  if (items.length > 1 && findRepeated(items.map((item) => texts.ofElement(item))) !== undefined) {
    yield `${subject(path)} names a type of its elements twice.`;
  }
  yield* problemsOfProperties(properties, path, texts);
  for (const item of items) yield* problemsOfType(item, [...path, null], texts);
}

function findRepeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((text) => seen.size === seen.add(text).size);
}

function subject(path: Path): string {
  return path.length === 0 ? 'The event' : `Property ${quote(path.map(spoken).join('.'))}`;
}

/** What in a name could be taken for the syntax of the path has a backslash before it. */
function spoken(name: string | null): string {
  return name === null ? ELEMENTS : name.replaceAll(/[\\.]|^\[\]$/g, '\\$&');
}
