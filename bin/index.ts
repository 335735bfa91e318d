export { run } from './cli.ts';
export { type Config, defineConfig, generatedHeader, type GeneratedFile, type Target } from '@branchline/generator';
