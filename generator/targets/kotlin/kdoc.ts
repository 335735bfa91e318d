/** The most characters of text in a line of KDoc; with its indentation it stays below ktlint's 140. */
const WIDTH = 112;

/** A description as a KDoc comment, line by line. */
export function printKdoc(description: string): string[] {
  const lines = description.trim().split('\n').flatMap(wrap);
  return lines.length === 1 ? [`/** ${lines[0]} */`] : ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'];
}

function wrap(paragraph: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of escape(paragraph).split(/\s+/)) {
    if (line !== '' && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Kotlin's comments nest, so a description may neither end one nor begin one. */
function escape(text: string): string {
  return text.replaceAll('*/', '*&#47;').replaceAll('/*', '/&#42;');
}
