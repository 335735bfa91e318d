import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CouldNotRun } from '../../could-not-run.ts';
import { libraryCases } from '../../library/sink/cases/index.ts';
import { allCases } from '../../service/selection.ts';
import { readWaivers } from './file.ts';
import { checkWaiverNames } from './known.ts';

const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
const path = join(folder, 'waivers.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): unknown {
  writeFileSync(path, text);
  return readWaivers(path);
}

const WAIVERS = [
  { case: 'conflicts/race', reason: 'Ticket 42.', until: '2026-12-31', link: 'https://tracker.example/42' },
  { clause: 'BRANCH-URL-1', reason: 'Ours is http.' },
];

describe('a file of waivers', () => {
  it('may be YAML', () => {
    const text = `
# What we know of.
waivers:
  - case: conflicts/race
    reason: Ticket 42.
    until: 2026-12-31
    link: https://tracker.example/42
  - { clause: BRANCH-URL-1, reason: Ours is http. }
`;
    expect(read(text)).toEqual(WAIVERS);
  });

  it('may be JSON', () => {
    expect(read(JSON.stringify({ waivers: WAIVERS }))).toEqual(WAIVERS);
  });

  it('may have none', () => {
    expect(read('waivers: []')).toEqual([]);
  });

  it.each([
    ['it must be object', ''],
    ["it must have required property 'waivers'", '{}'],
    ['is neither YAML nor JSON: ', 'waivers: [1'],
    ['is neither YAML nor JSON: ', 'waivers: *nowhere'],
    ['is neither YAML nor JSON: Map keys must be unique at line 2', 'waivers: []\nwaivers: []'],
    ['waivers must be array', 'waivers: none'],
    ["waivers[0] must have required property 'reason'", 'waivers: [{ case: a/b }]'],
    ['waivers[0].reason must match pattern', 'waivers: [{ case: a/b, reason: " " }]'],
    ['waivers[1] must name either a case or a clause', 'waivers: [{ case: a/b, reason: r }, { reason: r }]'],
    ['waivers[0] must name either a case or a clause', 'waivers: [{ case: a/b, clause: C-1, reason: r }]'],
    ['waivers[0] has "untill", which means nothing here', 'waivers: [{ case: a/b, reason: r, untill: 2026-01-01 }]'],
    ['waivers[0].until must match format "date"', 'waivers: [{ case: a/b, reason: r, until: 2026-02-30 }]'],
    ['waivers[0].link must match', 'waivers: [{ case: a/b, reason: r, link: "javascript:alert(1)" }]'],
  ])('is refused with a sentence: %s', (sentence, text) => {
    expect(() => read(text)).toThrow(CouldNotRun);
    expect(() => read(text)).toThrow(sentence);
    expect(() => read(text)).toThrow(/^[^\n]+\.$/);
  });

  it('is refused where there is none', () => {
    expect(() => readWaivers(join(folder, 'none'))).toThrow(/--waivers: the file .*none can't be read: ENOENT.*\.$/);
  });
});

describe('what waivers name', () => {
  it('is a case or a clause of the run', () => {
    expect(() => checkWaiverNames(WAIVERS, allCases)).not.toThrow();
    expect(() => checkWaiverNames([{ case: 'batching/size', reason: 'r' }], libraryCases)).not.toThrow();
    // An observed case fails where a server error comes.
    expect(() => checkWaiverNames([{ case: 'open/size', reason: 'r' }], allCases)).not.toThrow();
  });

  it.each([
    ['there is no case "conflicts/rice" here', [{ case: 'conflicts/rice', reason: 'r' }]],
    ['there is no case "batching/size" here', [{ case: 'batching/size', reason: 'r' }]],
    ['no case here is about a clause "BRANCH-9"', [{ clause: 'BRANCH-9', reason: 'r' }]],
    [
      '"conflicts/race" is waived twice',
      [
        { case: 'conflicts/race', reason: 'r' },
        { case: 'conflicts/race', reason: 's' },
      ],
    ],
  ])('is refused with a sentence where it can mean nothing: %s', (sentence, waivers) => {
    expect(() => checkWaiverNames(waivers, allCases)).toThrow(CouldNotRun);
    expect(() => checkWaiverNames(waivers, allCases)).toThrow(sentence);
  });
});
