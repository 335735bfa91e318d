/** ktlint's longest line. */
const WIDTH = 140;

/** Gives what a template made the form that ktlint asks for. */
export function layOut(text: string): string {
  return removeBlanks(breakTypes(joinSignatures(removeUnusedImports(escapeDollars(nameNumbers(shortenTypes(text)))))));
}

/** openapi-generator writes Kotlin's own types by their whole names, and some names between backticks that they don't need. */
function shortenTypes(text: string): string {
  return text
    .replaceAll(/\bkotlin\.(?:collections\.)?(?=[A-Z])/g, '')
    .replaceAll(/(?<=class |: |<)`([A-Z]\w*)`/g, '$1')
    .replaceAll(/\bBacktick([A-Z]\w*)Backtick\b/g, '$1');
}

/** The constant of a value that begins with a digit: `_1` → `N1`. */
function nameNumbers(text: string): string {
  return text.replaceAll(/(?<=^ *@SerialName\(.*\)\n *)_(?=\d)/gm, 'N');
}

/** A name of the contract that holds a `$` is no template of Kotlin's. */
function escapeDollars(text: string): string {
  return text.replaceAll(/^ *(?:@SerialName|request\.\w+)\(.*$/gm, (line) => line.replaceAll(/(?<!\\)\$/g, '\\$'));
}

function removeUnusedImports(text: string): string {
  const body = text.replaceAll(/^import .*$/gm, '');
  return text.replaceAll(/^import .*\.(\w+)\n/gm, (line, name: string) =>
    new RegExp(`\\b${name}\\b`).test(body) ? line : '',
  );
}

/** One parameter stands on the line of its function, if there is room; none always does. */
function joinSignatures(text: string): string {
  return text.replaceAll(
    /^( *[\w ]*fun [^\n(]*)\(\n(?: *([^\n]*),\n)? *\)([^\n]*)$/gm,
    (whole, head, parameter = '', tail) => {
      const line = `${head}(${parameter})${tail}`;
      return line.length <= WIDTH ? line : whole;
    },
  );
}

/** A type that finds no room after its name stands on the next line. */
function breakTypes(text: string): string {
  return text.replaceAll(/^( +)((?:public val )?\S+|(?:public val )?`[^`]+`): (.*,)$/gm, (line, indent, name, type) =>
    line.length <= WIDTH ? line : `${indent}${name}:\n${indent}    ${type}`,
  );
}

/** Sets right the blank lines and line ends that sections leave behind. */
function removeBlanks(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const kept = lines.filter(
    (line, index) => line !== '' || !isSuperfluous(lines[index - 1], findNextText(lines, index)),
  );
  return `${kept.join('\n').trim()}\n`.replaceAll(/\) \{\n *\}$/gm, ')');
}

function findNextText(lines: readonly string[], from: number): string {
  return lines.slice(from).find((line) => line !== '') ?? '';
}

/** A blank line at the edge of a block, or after another. */
function isSuperfluous(before: string | undefined, after: string): boolean {
  return before === undefined || before === '' || /[{(]$/.test(before) || /^\s*[)}]/.test(after);
}
