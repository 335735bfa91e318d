import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import type { Report } from '../result.ts';
import { badgeReport } from './badge.ts';
import { PARTIAL, report, result } from './testing/reports.ts';

describe('the badge', () => {
  it.each<[string, Partial<Report>]>([
    ['conforms', { conforms: true }],
    ['conforms to the profile', { conforms: true, profile: true }],
    ['does not conform', { results: [result({ state: 'fail' })] }],
    ['does not conform', { profile: true, results: [result({ state: 'fail' })] }],
    ['not judged', { results: [result({ state: 'skip' }), result({ level: 'observed' })] }],
    ['not judged', { results: [result({ state: 'pass' }), result({ state: 'error' })] }],
    ['does not conform', { results: [result({ state: 'fail' }), result({ state: 'error' })] }],
    ['conforms in part', { conforms: true, selection: { only: ['creation'] } }],
    ['conforms, with waivers', { conforms: true, results: [result({ state: 'fail', waived: 'Known.' })] }],
    ['conforms', { conforms: true, results: [result({ level: 'profile', state: 'fail', waived: 'Known.' })] }],
    ['conforms, 2 of 61 clauses untried', { conforms: true, coverage: PARTIAL }],
    ['does not conform', { results: [result({ state: 'fail' })], coverage: PARTIAL }],
    ['incomplete', { incomplete: true }],
  ])('says: %s', (verdict, change) => {
    const text = badgeReport(report([], change));
    expect(XMLValidator.validate(text)).toBe(true);
    const { svg } = new XMLParser({ ignoreAttributes: false }).parse(text);
    expect(svg).toMatchObject({ '@_role': 'img', title: `Branchline conformance 1.2.3: ${verdict}` });
    expect(svg['@_aria-label']).toBe(svg.title);
  });

  it('needs nothing else, and holds nothing that a server sent', () => {
    const text = badgeReport(report()).replace('xmlns="http://www.w3.org/2000/svg"', '');
    expect(text).not.toMatch(/https?:|<script|@import|url\((?!#)/);
  });
});
