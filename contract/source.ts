import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Pair,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import type { Position, SpecProblem } from './contract.ts';
import { isStackOverflow, isTooDeep, TOO_DEEP } from './depth.ts';
import { findPlaces } from './json-places.ts';
import { fromPointer } from './pointers.ts';
import { SpecError } from './spec-error.ts';
import { checkYaml, readOffset } from './yaml-checks.ts';

/** The text of a spec, read: its value, and where in the text each part of it stands. */
export interface Source {
  value: unknown;
  /** What is wrong in the text, and hurts nobody. */
  warnings: readonly SpecProblem[];
  /** Where the value at a pointer, or its nearest ancestor that was written, begins. */
  locate(pointer: string): Position;
}

/**
 * Reads YAML or JSON.
 *
 * @throws SpecError naming each syntax error, or where it nests too deep; in YAML, or where it is strict, a key written twice counts as a
 *   syntax error.
 */
export function readSource(file: string, text: string, options: { strict?: boolean } = {}): Source {
  const source = parseSource(file, text, options);
  if (isTooDeep(source.value)) throw new SpecError(file, [{ position: START, sentence: TOO_DEEP }]);
  return source;
}

const START: Position = { line: 1, column: 1 };

function parseSource(file: string, text: string, { strict = true }: { strict?: boolean }): Source {
  const json = strict ? undefined : parseJson(text);
  if (json === undefined) return readYaml(file, text, strict);
  // Lines are asked for only where something is wrong.
  let places: Source['locate'] | undefined;
  return { ...json, warnings: [], locate: (pointer) => (places ??= findPlaces(text))(pointer) };
}

/** YAML takes ten times as long for the same. */
function parseJson(text: string): { value: unknown } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** How often a text is mended, before what is left of its faults is told. */
const MOST_MENDED = 50;

function readYaml(file: string, written: string, strict: boolean): Source {
  const { text, lines, document, mended } = strict ? parseYaml(written) : parseIndented(written);
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const { errors } = document;
  if (errors.length > 0) {
    const deepest = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
    throw new SpecError(
      file,
      (deepest === undefined ? listFirstOfEachPlace(errors) : [deepest]).map((error) => ({
        position: position(error.pos[0]),
        sentence: describeSyntaxError(error, text),
      })),
    );
  }
  return {
    value: toPlainValue(file, document),
    warnings: mended.map((line) => ({
      position: { line, column: 1 },
      sentence: 'A text in quotes goes on here, in a line that is not indented as YAML asks for.',
    })),
    locate: (pointer) => position(findOffset(document, pointer)),
  };
}

/** The first of a place says it; the others follow from it. */
function listFirstOfEachPlace(errors: readonly YAMLParseError[]): YAMLParseError[] {
  return [...new Map(errors.toReversed().map((error) => [error.pos[0], error])).values()];
}

interface Parsed {
  text: string;
  lines: LineCounter;
  document: Document;
  /** The lines that were indented. */
  mended: number[];
}

function parseYaml(text: string, mended: number[] = []): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, uniqueKeys: false });
  if (document.errors.length === 0) document.errors = checkYaml(document);
  return { text, lines, document, mended };
}

/** Indents the lines in which a text in quotes goes on: other readers of YAML take them as they are. */
function parseIndented(written: string): Parsed {
  let parsed = parseYaml(written);
  while (parsed.mended.length < MOST_MENDED) {
    const { text, mended } = parsed;
    const [error] = parsed.document.errors;
    if (error === undefined || !error.message.startsWith('Missing closing')) break;
    const start = [...text.slice(0, error.pos[0]).matchAll(/(?<=^|[\s,:[{-])["']/g)].at(-1)?.index ?? 0;
    const quoted = text.startsWith("'", start) ? /'(?:[^']|'')*'/y : /"(?:[^"\\]|\\[^])*"/y;
    quoted.lastIndex = start;
    const [whole] = quoted.exec(text) ?? [];
    const indented = whole?.replaceAll(/\n(?! {80})[ \t]*/g, `\n${' '.repeat(80)}`);
    if (whole === undefined || indented === undefined || indented === whole) break;
    const before = text.slice(0, start);
    parsed = parseYaml(before + indented + text.slice(start + whole.length), [
      ...mended,
      before.split('\n').length + 1,
    ]);
  }
  return parsed;
}

function describeSyntaxError({ code, message }: YAMLParseError, text: string): string {
  if (code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  if (code === 'MULTIPLE_DOCS') return 'A second YAML document begins here, after "---"; a contract is one document.';
  const isJson = text.trimStart().startsWith('{');
  if (isJson && code !== 'DUPLICATE_KEY')
    return 'This is not valid JSON: before this place a bracket is not closed, or a comma or a quote is missing.';
  const sentence = `${message.replace(/\.$/, '')}.`;
  return code === 'BAD_ALIAS' ? sentence : `This is not valid ${isJson ? 'JSON' : 'YAML'}: ${sentence}`;
}

/** Aliases are written out, so that nothing in the value is shared. */
function toPlainValue(file: string, document: Document): unknown {
  try {
    const value: unknown = JSON.parse(JSON.stringify(document.toJS()) ?? 'null');
    return value;
  } catch (error) {
    const sentence = isStackOverflow(error)
      ? TOO_DEEP
      : 'Its YAML aliases refer to themselves or expand without end; write the repeated parts out.';
    throw new SpecError(file, [{ position: START, sentence }]);
  }
}

function findOffset(document: Document, pointer: string): number {
  let node: unknown = document.contents;
  let offset = readOffset(node) ?? 0;
  for (const segment of fromPointer(pointer)) {
    const child = findChild(isAlias(node) ? node.resolve(document) : node, segment);
    if (child === undefined) break;
    offset = readOffset(child.key) ?? readOffset(child.value) ?? offset;
    node = child.value;
  }
  return offset;
}

function findChild(node: unknown, segment: string): { key: unknown; value: unknown } | undefined {
  if (isSeq(node)) return segment in node.items ? { key: undefined, value: node.items[Number(segment)] } : undefined;
  if (!isMap(node)) return undefined;
  const known = childrenByMap.get(node) ?? indexChildren(node);
  childrenByMap.set(node, known);
  return known.get(segment);
}

/** One map may have many children that are looked for. */
const childrenByMap = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

function indexChildren({ items }: YAMLMap): Map<string, Pair> {
  return new Map(items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
}
