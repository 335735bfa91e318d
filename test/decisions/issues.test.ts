// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/generated/types.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { type SignedIn, startTestServer, type TestServer } from '../support/server.ts';

/** The rows "Issues", "State of an issue" and "Gone and missing" of docs/decisions.md, over HTTP. */

type Issue = components['schemas']['Issue'];

let server: TestServer;
let editor: SignedIn;
let viewer: SignedIn;
/** Of the server. */
let now = Date.UTC(2026, 1, 3, 12);

beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  [editor, viewer] = [await server.signIn('editor'), await server.signIn('viewer')];
  const price = (type: 'int' | 'string') => eventReport('Paid', [{ name: 'price', type }]);
  await send('1.0.0', price('int'), price('int'), price('string'));
  now += 60_000;
  await send('1.1.0', price('int'), eventReport('paid', []), eventReport('Left', []));
});
afterAll(() => server.close());

async function send(version: string, ...events: ReturnType<typeof eventReport>[]) {
  const app = { id: 'com.example.shop', name: 'Shop', version };
  const answer = await server.call({
    method: 'POST',
    path: '/inspector/batches/v1',
    as: null,
    headers: { 'api-key': server.apiKey },
    json: batchOf(events, { app, environment: 'prod' }),
  });
  expect(answer.json()).toMatchObject({ accepted: events.length });
}

async function list(query = '', as?: SignedIn): Promise<Issue[]> {
  const who = as === undefined ? {} : { as: null, headers: { cookie: as.cookie } };
  const answer = await server.call({ path: `${server.workspacePath}/inspector/issues/v1${query}`, ...who });
  expect(answer.status, answer.text).toBe(200);
  return (answer.json() as { issues: Issue[] }).issues;
}

function change({ issueId }: Pick<Issue, 'issueId'>, state: string, as: SignedIn | 'a program' = editor) {
  now += 1;
  return server.call({
    method: 'PUT',
    path: `${server.workspacePath}/inspector/issues/${issueId}/state/v1`,
    json: { state },
    ...(as === 'a program' ? {} : { as: null, headers: { cookie: as.cookie } }),
  });
}

async function only(kind: Issue['kind']): Promise<Issue> {
  const [issue, ...others] = await list(`?kind=${kind}`);
  if (issue === undefined || others.length > 0) throw new Error(`There is not one issue of the kind ${kind}.`);
  return issue;
}

describe('Issues', () => {
  it('are told of what was just observed, the latest first', async () => {
    const issues = await list();
    expect(issues.map(({ kind, eventName }) => `${kind} ${eventName}`).toSorted()).toEqual([
      'nameVariant paid',
      'newInVersion Left',
      'typeConflict Paid',
    ]);
    expect(issues.at(-1)).toMatchObject({
      kind: 'typeConflict',
      property: ['price'],
      source: 'android-shop',
      environment: 'prod',
      appVersion: '1.0.0',
      comparedWith: 'int',
      affectedShare: 0.25,
    });
  });

  it('are counted with their event, and events without one can be left out', async () => {
    const path = `${server.workspacePath}/inspector/event-summaries/v1`;
    const events = async (query: string) =>
      ((await server.call({ path: path + query })).json() as { events: { eventName: string; issues: number }[] })
        .events;
    expect((await events('')).map(({ eventName, issues }) => `${eventName} ${issues}`)).toEqual([
      'Left 1',
      'Paid 1',
      'paid 1',
    ]);
    await send('1.1.0', eventReport('Anything else', []));
    const { issueId } = (await list('?text=anything'))[0] ?? { issueId: '' };
    await change({ issueId }, 'resolved');
    expect((await events('')).map(({ eventName }) => eventName)).toContain('Anything else');
    expect((await events('?withIssues=true')).map(({ eventName }) => eventName)).toEqual(['Left', 'Paid', 'paid']);
  });

  it.each([
    ['?kind=nameVariant', 1],
    ['?state=ignored', 0],
    ['?source=another', 0],
    ['?environment=dev', 0],
    ['?text=PAI', 2],
    ['?eventName=paid', 1],
  ])('%s leaves what was asked for', async (query, count) => {
    expect(await list(query)).toHaveLength(count);
  });

  it('are of one workspace', async () => {
    await server.administration.workspaces.create('other');
    const other = await server.signIn('admin', 'other');
    const answer = await server.call({
      path: '/workspaces/other/inspector/issues/v1',
      as: null,
      headers: { cookie: other.cookie },
    });
    expect(answer.json()).toEqual({ issues: [], isComplete: true, nextCursor: null });
    const { issueId } = await only('typeConflict');
    const foreign = await server.call({
      method: 'PUT',
      path: `/workspaces/other/inspector/issues/${issueId}/state/v1`,
      json: { state: 'resolved' },
      as: null,
      headers: { cookie: other.cookie },
    });
    expect([foreign.status, foreign.text]).toEqual([404, '{"error":"No issue of this workspace has this id."}']);
  });
});

describe('State of an issue', () => {
  it('is read by a viewer, and changed by an editor', async () => {
    const issue = (await list('?kind=typeConflict', viewer))[0] ?? { issueId: '' };
    expect((await change(issue, 'resolved', viewer)).status).toBe(403);
    expect((await change(issue, 'resolved', 'a program')).status).toBe(401);
    const changed = await change(issue, 'resolved');
    expect(changed.status).toBe(200);
    expect(changed.json()).toMatchObject({
      state: 'resolved',
      stateChangedBy: editor.email,
      stateChangedAt: new Date(now).toISOString(),
    });
    expect(await list('?kind=typeConflict')).toEqual([]);
    expect(await list('?state=resolved&kind=typeConflict')).toMatchObject([issue].map(({ issueId }) => ({ issueId })));
  });

  it('that somebody else has given it is not overruled unseen', async () => {
    const [issue = { issueId: '' }] = await list('?state=resolved&kind=typeConflict');
    expect((await change(issue, 'resolved')).status).toBe(200);
    const refused = await change(issue, 'ignored');
    expect([refused.status, refused.json()]).toEqual([
      409,
      { error: `This issue was resolved by ${editor.email} and can't become ignored. Open it again first.` },
    ]);
  });

  it('resolved is open again when a newer app version has it', async () => {
    now += 60_000;
    await send('1.0.0', eventReport('Paid', [{ name: 'price', type: 'string' }]));
    expect(await list('?kind=typeConflict')).toEqual([]);
    await send('1.2.0', eventReport('Paid', [{ name: 'price', type: 'string' }]));
    expect(await list('?kind=typeConflict')).toMatchObject([
      { state: 'open', appVersion: '1.2.0', stateChangedBy: null },
    ]);
  });

  it('ignored is ignored in newer ones too, until it is opened again', async () => {
    const issue = await only('nameVariant');
    await change(issue, 'ignored');
    now += 60_000;
    await send('1.3.0', eventReport('paid', []));
    expect(await list('?kind=nameVariant')).toEqual([]);
    expect(await list('?kind=nameVariant&state=ignored')).toMatchObject([{ appVersion: '1.3.0' }]);
    expect((await change(issue, 'open')).json()).toMatchObject({ state: 'open', stateChangedBy: editor.email });
  });

  it('has a line in the audit log for each change', async () => {
    const admin = await server.signIn('admin');
    const answer = await server.call({
      path: `${server.workspacePath}/audit/v1`,
      as: null,
      headers: { cookie: admin.cookie },
    });
    const { lines } = answer.json() as components['schemas']['AuditPage'];
    const ofIssues = lines.filter(({ act }) => act.startsWith('issue'));
    expect(ofIssues.map(({ act, subject, actorEmail }) => [act, subject, actorEmail])).toEqual([
      ['issueReopened', 'nameVariant, "paid", android-shop (prod)', editor.email],
      ['issueIgnored', 'nameVariant, "paid", android-shop (prod)', editor.email],
      ['issueResolved', 'typeConflict, "price", "Paid", android-shop (prod)', editor.email],
      ['issueResolved', 'newInVersion, "Anything else", android-shop (prod)', editor.email],
    ]);
  });
});
