export type { Allowance, JudgedFinding, Judgement } from './allowances/allowance.ts';
export { applyAllowances } from './allowances/allowance.ts';
export { readAllowances, writeAllowances } from './allowances/file.ts';
export { diffContracts, type DiffOptions, type Finding } from './contracts.ts';
export { FORMATS } from './report/formats.ts';
export { type Audience, type DiffReport, listFailures } from './report/report.ts';
export { loadNamed, type NamedContract } from './revision.ts';
export { RULES } from './rules.ts';
