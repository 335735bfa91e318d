/** Versions that are sent in one go. */
export interface Stage {
  from: number;
  to: number;
  /** The version that they lead up to, where their cost is to be known. */
  milestone?: number;
}

/** Versions whose cost is measured together. */
const MEASURED = 50;

/** All versions from 1 to the last milestone: before each, as many as are measured have a stage of their own. */
export function stagesUpTo(milestones: readonly number[]): Stage[] {
  const stages: Stage[] = [];
  let done = 0;
  for (const milestone of milestones) {
    const measuredFrom = Math.max(done, milestone - MEASURED) + 1;
    if (measuredFrom > done + 1) stages.push({ from: done + 1, to: measuredFrom - 1 });
    stages.push({ from: measuredFrom, to: milestone, milestone });
    done = milestone;
  }
  return stages;
}
