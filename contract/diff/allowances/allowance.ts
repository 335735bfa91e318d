import type { Finding } from '../contracts.ts';

/** A change that is accepted. */
export interface Allowance {
  /** The id of a rule. */
  rule: string;
  /** As a finding has it. Left out: any place. */
  place?: string;
  reason: string;
  /** The last day on which it counts, in UTC, as `2026-12-31`. */
  until?: string;
  link?: string;
}

/** A finding, with the reason for which it is accepted. */
export interface JudgedFinding extends Finding {
  allowed?: string;
}

/** What allowances did. */
export interface Judgement {
  findings: JudgedFinding[];
  /** Those that were about no finding, or have expired, each with a sentence for who keeps the file. */
  idle: { allowance: Allowance; sentence: string }[];
}

/** The findings with those accepted that an allowance is about. */
export function applyAllowances(
  findings: readonly Finding[],
  allowances: readonly Allowance[],
  today: Date,
): Judgement {
  const day = today.toISOString().slice(0, 10);
  const valid = allowances.filter(({ until }) => until === undefined || until >= day);
  return {
    findings: findings.map((finding) => {
      const allowance = valid.find((one) => isAbout(one, finding));
      return allowance === undefined ? finding : { ...finding, allowed: allowance.reason };
    }),
    idle: allowances
      .filter((allowance) => !valid.includes(allowance) || !findings.some((finding) => isAbout(allowance, finding)))
      .map((allowance) => ({ allowance, sentence: describeIdle(allowance, valid.includes(allowance)) })),
  };
}

export function isAbout({ rule, place }: Allowance, finding: Pick<Finding, 'rule' | 'place'>): boolean {
  return rule === finding.rule && (place === undefined || place === finding.place);
}

function describeIdle({ rule, place, until }: Allowance, isValid: boolean): string {
  const name = `The allowance of ${rule}${place === undefined ? '' : ` at ${place}`}`;
  if (isValid) return `${name} is about nothing that has changed: remove it.`;
  return `${name} expired on ${until}, and allows nothing: renew it or remove it.`;
}
