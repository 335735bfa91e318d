import type { Judgement, JudgedFinding } from '../allowances/allowance.ts';
import { type Level, rankOf, reaches, worstOf } from '../levels.ts';

/** Whom a change is judged for: who calls the service, who implements it, or either. */
export type Audience = 'clients' | 'servers' | 'both';
export const AUDIENCES: readonly Audience[] = ['clients', 'servers', 'both'];

/** What was compared, and what came of it. */
export interface DiffReport extends Judgement {
  old: string;
  new: string;
  audience: Audience;
  /** What the run fails on. */
  failOn: Exclude<Level, 'info'>;
  /** Whether what breaks nobody is shown too. */
  showsAll: boolean;
}

/** How much a finding means to those that the report is for. */
export function levelOf(finding: JudgedFinding, audience: Audience): Level {
  return audience === 'both' ? worstOf(finding.clients, finding.servers) : finding[audience];
}

/** What the run fails for. */
export function listFailures({ findings, audience, failOn }: DiffReport): JudgedFinding[] {
  return findings.filter((finding) => finding.allowed === undefined && reaches(levelOf(finding, audience), failOn));
}

/** What is shown, the worst first, and the number of what is not. */
export function selectShown({ findings, audience, showsAll }: DiffReport): { shown: JudgedFinding[]; left: number } {
  const shown = findings
    .filter((finding) => showsAll || levelOf(finding, audience) !== 'info')
    .toSorted((a, b) => rankOf(levelOf(b, audience)) - rankOf(levelOf(a, audience)));
  return { shown, left: findings.length - shown.length };
}

/** The file and line of a finding, as compilers write it. */
export function placeOf({ position }: JudgedFinding, report: Pick<DiffReport, 'old' | 'new'>): string {
  return `${fileOf(position, report)}:${position.line}:${position.column}`;
}

export function fileOf(position: JudgedFinding['position'], report: Pick<DiffReport, 'old' | 'new'>): string {
  return position.file ?? report[position.side];
}

/** `error for clients`, `warning`: a level, and for whom where that is not said by the report. */
export function describeLevel(finding: JudgedFinding, audience: Audience): string {
  const level = levelOf(finding, audience);
  if (audience !== 'both' || level === 'info' || finding.clients === finding.servers) return level;
  const whom = (['clients', 'servers'] as const).filter((side) => finding[side] === level);
  return `${level} for ${whom.join(' and ')}`;
}

/** `GET /pets and 2 more`. */
export function describeOperations({ operations, place }: JudgedFinding): string {
  const [first] = operations;
  if (first === undefined || (operations.length === 1 && place.startsWith(first))) return '';
  return operations.length === 1 ? first : `${first} and ${operations.length - 1} more`;
}

/** What came of it, in one sentence. */
export function describeVerdict(report: DiffReport): string {
  const { findings, audience } = report;
  const counted = findings.filter(({ allowed }) => allowed === undefined);
  const count = (level: Level): number => counted.filter((finding) => levelOf(finding, audience) === level).length;
  const whom = audience === 'both' ? 'clients or servers' : audience;
  const [errors, warnings] = [count('error'), count('warning')];
  const allowed = findings.length - counted.length;
  const told = allowed === 0 ? '' : ` ${allowed} ${allowed === 1 ? 'is' : 'are'} allowed.`;
  if (errors + warnings === 0) {
    return `${findings.length === 0 ? 'Nothing has changed' : `Nothing breaks ${whom}`}.${told}`;
  }
  const parts = [
    ...(errors === 0 ? [] : [`${errors} ${errors === 1 ? 'change breaks' : 'changes break'} ${whom}`]),
    ...(warnings === 0
      ? []
      : [
          errors === 0
            ? `${warnings} ${warnings === 1 ? 'change' : 'changes'} may break ${whom}`
            : `${warnings} may break them`,
        ]),
  ];
  return `${parts.join(', ')}.${told}`;
}
