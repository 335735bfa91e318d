import { githubReport } from './github.ts';
import { jsonReport } from './json.ts';
import { markdownReport } from './markdown.ts';
import type { DiffReport } from './report.ts';
import { textReport } from './text.ts';

/** Reports for people and programs, by their names. */
export const FORMATS = {
  text: textReport,
  json: jsonReport,
  markdown: markdownReport,
  github: githubReport,
} as const satisfies Record<string, (report: DiffReport) => string>;
