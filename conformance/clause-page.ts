import type { Clause } from './engine/result.ts';

const SUBJECTS = [
  ['service', 'A service'],
  ['library', 'A client library'],
] as const;

const LEVELS = ['required', 'profile', 'observed'] as const;

/** The page of all clauses, in Markdown: a table for each section of a document. */
export function clausePage(clauses: readonly Clause[]): string {
  const parts = SUBJECTS.map(([subject, title]) =>
    writeSubject(
      title,
      clauses.filter((clause) => clause.subject === subject),
    ),
  );
  return [INTRODUCTION, ...parts].join('\n\n');
}

const INTRODUCTION = `# Clauses

Every sentence that an implementation can meet or miss, with its level; [conformance.md](conformance.md#levels) says what the
levels mean. This page is made of \`conformance/{service,library}/clauses/*.json\` by \`npm run generate:clauses\`. The cases that try a clause:

\`\`\`sh
npx branchline-conformance --explain BRANCH-CREATE-400-2
\`\`\``;

function writeSubject(title: string, clauses: readonly Clause[]): string {
  const counts = LEVELS.map((level) => `${clauses.filter((clause) => clause.level === level).length} ${level}`);
  const sections = Map.groupBy(clauses, ({ document, section }) => `${document}: ${section}`);
  const tables = [...sections].map(([heading, rows]) => `### ${heading}\n\n${writeTable(rows)}`);
  return [`## ${title}`, `${counts.join(', ')}.`, ...tables].join('\n\n');
}

function writeTable(clauses: readonly Clause[]): string {
  const hasNotes = clauses.some(({ note }) => note !== undefined);
  const columns = ['Clause', 'Level', 'Sentence', ...(hasNotes ? ['Note'] : [])];
  const rows = clauses.map(({ id, level, sentence, note = '' }) => [id, level, sentence, ...(hasNotes ? [note] : [])]);
  return [columns, columns.map(() => '---'), ...rows].map(writeRow).join('\n');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
