import { clausesById, clauses } from '../clauses.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { libraryCases } from '../library/sink/cases/index.ts';
import { allCases } from '../service/selection.ts';

/** A clause in full: its sentence, its source, and the cases that try it. */
export function explainClause(id: string): string {
  const clause = clausesById.get(id) ?? clauses.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (clause === undefined) throw new CouldNotRun(`There is no clause ${JSON.stringify(id)}.${nearby(id)}`);
  const cases = [...allCases, ...libraryCases].filter((one) => one.clauses.includes(clause.id));
  return [
    `${clause.id} (${clause.level}, ${clause.subject})`,
    '',
    `“${clause.sentence}”`,
    `${clause.document}, ${clause.section}`,
    ...(clause.note === undefined ? [] : ['', clause.note]),
    ...(cases.length === 0 ? [] : ['', 'Tried by:', ...cases.map((one) => `  ${one.id}  ${one.title}`)]),
  ].join('\n');
}

function nearby(id: string): string {
  const [family = ''] = id.toUpperCase().split('-');
  const alike = clauses.filter((clause) => family !== '' && clause.id.startsWith(family)).map((clause) => clause.id);
  if (alike.length === 0) return ' docs/clauses.md has all there are.';
  return ` There are ${alike.slice(0, 8).join(', ')}${alike.length > 8 ? '…' : '.'}`;
}
