/** What other workspaces may use of the generator. */
export { diffChanges } from './drift.ts';
export { type GenerateOptions, type Plan, plan } from './generate.ts';
export { findMissingJavaTool } from './targets/kotlin/java-tools.ts';
export { apply, type Change } from './output.ts';
export type { Choices, GeneratedFile, Standing, Target } from './target.ts';
export { targets } from './targets.ts';
export { ToolError } from './tool-error.ts';
