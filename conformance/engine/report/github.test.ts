import { describe, expect, it } from 'vitest';
import { githubReport } from './github.ts';
import { report, result } from './testing/reports.ts';

describe('the report for GitHub Actions', () => {
  it('has the verdict, and an annotation for each failure that counts', () => {
    const lines = githubReport(report()).trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, line.indexOf('::', 2)))).toEqual([
      '::notice title=Conformance',
      '::error title=creation/fields%3A The URL has the documented form.',
      '::error title=creation/error%3A The URL has the documented form.',
    ]);
    expect(lines[0]).toContain('does not conform.');
    expect(lines[1]).toMatch(/::It is wrong\.%0AIt is odd\.%0ABRANCH-URL-1: “.+”$/);
    expect(lines[2]).toContain('::TypeError: no such thing%0A');
  });

  it('has one annotation for failures of one cause', () => {
    const some = ['a/a', 'a/b'].map((id) => result({ id, state: 'fail', problems: ['It is wrong.'] }));
    const [, ...errors] = githubReport(report(some)).trimEnd().split('\n');
    expect(errors).toEqual([
      '::error title=a/a%3A The URL has the documented form.%2C and 1 case like it::It is wrong.%0ACases: a/a, a/b%0AClauses: BRANCH-URL-1',
    ]);
  });

  it('names a waiver that is not needed any more', () => {
    const text = githubReport(report([], { waivers: [{ clause: 'NAME-1', reason: 'Known.', state: 'stale' }] }));
    expect(text).toContain('::error title=Waivers::The waiver of NAME-1 is not needed any more');
  });

  it('lets nothing that a server sent become a command', () => {
    const problems = ['100%\r\n::set-output name=x::y'];
    const text = githubReport(report([result({ title: 'a,b:c\n::x', state: 'fail', problems })]));
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toContain('title=creation/url%3A a%2Cb%3Ac%0A%3A%3Ax::100%25%0D%0A::set-output');
  });
});
