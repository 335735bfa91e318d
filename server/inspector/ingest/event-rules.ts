import { ELEMENTS, type ElementSchema, type EventSchema } from '../event-schema.ts';
import type { EventLimits } from '../limits.ts';
import { CanonicalTexts, measureSchema } from '../shape.ts';
import { quote } from '../truncate.ts';

/** More characters of other texts than an entry of a schema has. */
const CHARACTERS_OF_AN_ENTRY = 32;

/** The most that one character takes. */
const UNITS_OF_A_CHARACTER = 2;

/**
 * Whether a schema is too large to be looked at: it has too many properties or types of elements, or so much else that no valid one
 * has it. Stops counting there, so it costs the same however much more there is.
 *
 * @param schema anything, whatever it holds
 * @returns a sentence; undefined where it is not too large
 */
export function findExcess(schema: unknown, limits: EventLimits): string | undefined {
  const { maxProperties, maxElementTypes, maxPathCharacters } = limits;
  const maxSize = UNITS_OF_A_CHARACTER * maxPathCharacters + CHARACTERS_OF_AN_ENTRY * (maxProperties + maxElementTypes);
  let properties = 0;
  let elementTypes = 0;
  let size = 0;
  const lists: unknown[][] = [[schema]];
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    for (const value of list) {
      size += typeof value === 'string' ? value.length : 1;
      if (size > maxSize) {
        return (
          `The event's schema is larger than any with at most ${maxProperties} properties, ${maxElementTypes} types of elements and ` +
          `${maxPathCharacters} characters of names.`
        );
      }
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        lists.push(value);
        continue;
      }
      if ('name' in value) properties += 1;
      else elementTypes += 1;
      if (properties > maxProperties) return `The event has more than ${maxProperties} properties.`;
      if (elementTypes > maxElementTypes)
        return `The event's lists name more than ${maxElementTypes} types of elements.`;
      lists.push(Object.values(value));
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
