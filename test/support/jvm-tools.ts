import process from 'node:process';
import { missingJavaTool } from '../../packaging/java-tools.ts';

/** What is missing to build for the JVM, as a sentence without its beginning; undefined where all is there. */
export const missingJvmTool = missingJavaTool();

/** Whether tests that build for the JVM are skipped: where a tool is missing, but not where `CI` is set; there they fail. */
export const skipsJvm = missingJvmTool !== undefined && process.env['CI'] === undefined;

/** A test's title, which says why it is skipped. */
export function jvmTitle(title: string): string {
  return skipsJvm ? `${title} (skipped: ${missingJvmTool})` : title;
}
