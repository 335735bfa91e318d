/** A program of Kotlin, taken apart. */
export interface KotlinParts {
  /** All that is neither in a comment nor in a literal; what a `$` in a literal puts in is. */
  code: string;
  /** What the literals say. */
  literals: string[];
}

const TOKEN = /\/\/[^\r\n]*|\/\*|"(?:[^"\\\r\n]|\\.)*"|"/g;

/**
 * Takes Kotlin apart that has no raw string and no character literal.
 *
 * @throws Error where a comment or a literal has no end.
 */
export function readKotlin(text: string): KotlinParts {
  const literals: string[] = [];
  let code = '';
  let end = 0;
  for (let token = findToken(text, 0); token !== undefined; token = findToken(text, end)) {
    code += text.slice(end, token.index);
    end = token.index + (token[0] === '/*' ? measureComment(text.slice(token.index)) : token[0].length);
    if (token[0] === '"') throw new Error(`A literal has no end: ${text.slice(token.index, token.index + 80)}`);
    if (!token[0].startsWith('"')) continue;
    literals.push(readLiteral(token[0]));
    code += listInsertions(token[0]);
  }
  return { code: code + text.slice(end), literals };
}

function findToken(text: string, from: number): RegExpExecArray | undefined {
  TOKEN.lastIndex = from;
  return TOKEN.exec(text) ?? undefined;
}

/** Comments of Kotlin nest. */
function measureComment(text: string): number {
  let depth = 0;
  for (const { 0: edge, index } of text.matchAll(/\/\*|\*\//g)) {
    depth += edge === '/*' ? 1 : -1;
    if (depth === 0) return index + edge.length;
  }
  throw new Error(`A comment has no end: ${text.slice(0, 80)}`);
}

function readLiteral(literal: string): string {
  return String(JSON.parse(literal.replaceAll(/\\[\s\S]/g, (pair) => (pair === String.raw`\$` ? '$' : pair))));
}

/** What is code in a literal. */
function listInsertions(literal: string): string {
  const found = literal.replaceAll(/\\./g, '').match(/\$(?:\{[^}]*\}|\w+)/g) ?? [];
  return ` ${found.join(' ')} `;
}
