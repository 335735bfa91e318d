import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLParseError,
} from 'yaml';
import type { Position } from './contract.ts';
import { fromPointer } from './pointers.ts';
import { SpecError } from './spec-error.ts';

/** The text of a spec, read: its value, and where in the text each part of it stands. */
export interface Source {
  value: unknown;
  /** Where the value at a pointer, or its nearest ancestor that was written, begins. */
  locate(pointer: string): Position;
}

/**
 * Reads YAML or JSON (which is YAML).
 *
 * @throws SpecError naming each syntax error; a key written twice counts as one.
 */
export function readSource(file: string, text: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0) {
    throw new SpecError(
      file,
      document.errors
        // The first of a place says it; the others follow from it.
        .filter(({ pos }, index, all) => all.findIndex((other) => other.pos[0] === pos[0]) === index)
        .map((error) => ({ position: position(error.pos[0]), sentence: describeSyntaxError(error, text) })),
    );
  }
  return { value: toPlainValue(file, document), locate: (pointer) => position(findOffset(document, pointer)) };
}

function describeSyntaxError({ code, message }: YAMLParseError, text: string): string {
  if (code === 'MULTIPLE_DOCS') return 'A second YAML document begins here, after "---"; a contract is one document.';
  const isJson = text.trimStart().startsWith('{');
  if (isJson && code !== 'DUPLICATE_KEY')
    return 'This is not valid JSON: before this place a bracket is not closed, or a comma or a quote is missing.';
  const language = isJson ? 'JSON' : 'YAML';
  return `This is not valid ${language}: ${message.replace(/\.$/, '')}.`;
}

/** Aliases are written out, so that nothing in the value is shared. */
function toPlainValue(file: string, document: Document): unknown {
  try {
    const value: unknown = JSON.parse(JSON.stringify(document.toJS()) ?? 'null');
    return value;
  } catch {
    const sentence = 'Its YAML aliases refer to themselves or expand without end; write the repeated parts out.';
    throw new SpecError(file, [{ position: { line: 1, column: 1 }, sentence }]);
  }
}

function findOffset(document: Document, pointer: string): number {
  let node: unknown = document.contents;
  let offset = readStart(node) ?? 0;
  for (const segment of fromPointer(pointer)) {
    const child = findChild(isAlias(node) ? node.resolve(document) : node, segment);
    if (child === undefined) break;
    offset = readStart(child.key) ?? readStart(child.value) ?? offset;
    node = child.value;
  }
  return offset;
}

function findChild(node: unknown, segment: string): { key: unknown; value: unknown } | undefined {
  if (isSeq(node)) return segment in node.items ? { key: undefined, value: node.items[Number(segment)] } : undefined;
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
}

function readStart(node: unknown): number | undefined {
  return isNode(node) ? (node satisfies Node).range?.[0] : undefined;
}
