import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Finding, Table } from './measure.ts';
import { fromRoot } from './subjects/subject.ts';

const REPORT = 'docs/benchmarks.md';

const HEAD = `# Benchmarks

Made by \`npm run bench\`; \`npm run bench -- --help\` says how to repeat one part. Loads come from a process of their own over kept-alive
connections on the same machine. What is compared is measured in turns within one run; figures are medians of the rounds, and
only the ratios carry over to other machines. The figures as data: \`bench/results/\`.
`;

/** What is kept of a finding. */
interface Kept extends Finding {
  measuredAt: string;
  machine: string;
}

/** Keeps a finding as `bench/results/<name>.json`. */
export function keep(name: string, finding: Finding): void {
  const [cpu] = cpus();
  const kept: Kept = {
    ...finding,
    measuredAt: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
  };
  mkdirSync(fromRoot('bench/results'), { recursive: true });
  writeFileSync(resultFile(name), `${JSON.stringify(kept, null, 2)}\n`);
}

/** Renders all findings that are kept, so that one of them can be measured again by itself. */
export function renderAll(names: readonly string[]): void {
  const kept = names.filter((name) => existsSync(resultFile(name))).map(read);
  const sections = kept.map((one) => `${markdownOf(one)}\nMeasured on ${one.measuredAt}: ${one.machine}.\n`);
  writeFileSync(fromRoot(REPORT), [HEAD, ...sections].join('\n'));
}

function read(name: string): Kept {
  const kept: Kept = JSON.parse(readFileSync(resultFile(name), 'utf8'));
  return kept;
}

function resultFile(name: string): string {
  return fromRoot(`bench/results/${name}.json`);
}

export function markdownOf({ title, about, tables }: Finding): string {
  return [`## ${title}`, about, ...tables.map(markdownTable)].join('\n\n') + '\n';
}

/** With padded cells, as Prettier writes them. */
function markdownTable({ columns, rows }: Table): string {
  const texts = [columns, ...rows].map((cells) => cells.map(String));
  const widths = columns.map((_, column) => Math.max(3, ...texts.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (column === 0 ? (cells[column] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [head = [], ...body] = texts;
  return [line(head), rule, ...body.map(line)].join('\n');
}
