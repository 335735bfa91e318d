import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Ends the run with why tests were skipped, and one plain line that any CI can count. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    const skipped = inState('skipped');
    const failed = inState('failed').length + broken + unhandledErrors.length;
    for (const [reason, count] of reasonsOf(skipped)) console.log(`\nskipped: ${reason} (${count} tests)`);
    const closing = `${inState('passed').length} passed, ${failed} failed`;
    console.log(`\n${closing}${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  }
}

/** How many tests were skipped for which reason; titles that say it end in `(skipped: <reason>)`. */
function reasonsOf(skipped: TestCase[]): Map<string, number> {
  const reasons = skipped.map(({ fullName }) => /\(skipped: ([^)]+)\)/.exec(fullName)?.[1] ?? `"${fullName}"`);
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
