import type { Page } from 'playwright-core';
import { paths } from '../../console/src/navigation/paths.ts';
import { visit } from '../../test/console/support/browser.ts';
import { WORKSPACE } from '../subjects/place.ts';
import { branchIdAt, eventNameAt, type Scale } from './scale.ts';

/** A page of the console in a state that asks for much. */
export interface Screen {
  name: string;
  path: string;
}

export function screensAt({ branches, events }: Scale): Screen[] {
  const event = paths.event(WORKSPACE, eventNameAt(Math.floor(events / 2)));
  const [list, report] = [paths.branches(WORKSPACE), paths.events(WORKSPACE)];
  return [
    { name: 'Branches', path: list },
    { name: 'Branches, merged, oldest first', path: `${list}?status=Merged&sort=oldest` },
    { name: 'Branches, by a part of the name', path: `${list}?text=number-${Math.floor(branches / 2)}` },
    { name: 'Branches, by a name that none has', path: `${list}?text=nowhere` },
    { name: 'Branch', path: paths.branch(WORKSPACE, branchIdAt(Math.floor(branches / 2))) },
    { name: 'Events', path: report },
    { name: 'Events, of one app version', path: `${report}?appVersion=1.0.0` },
    { name: 'Events, by a part of the name', path: `${report}?text=${Math.floor(events / 2)}` },
    { name: 'Events, with issues', path: `${report}?withIssues=true` },
    { name: 'Event', path: event },
    { name: 'Event, its shapes', path: `${event}?show=shapes` },
    { name: 'Issues', path: paths.issues(WORKSPACE) },
    { name: 'Live', path: paths.live(WORKSPACE) },
    { name: 'Sources', path: paths.sources(WORKSPACE) },
    { name: 'People', path: paths.people(WORKSPACE) },
    { name: 'Service accounts', path: paths.accounts(WORKSPACE) },
    { name: 'Audit', path: paths.audit(WORKSPACE) },
  ];
}

/** How long a page that stays in touch with the server is listened to. */
const SETTLED_MS = 2_000;

/** What a page asks the server for when it is opened, but for what goes on and on. */
export async function requestsOf(page: Page, { path }: Screen): Promise<string[]> {
  const asked = new Set<string>();
  const note = (url: URL, type = ''): void => {
    if (type.startsWith('application/json')) asked.add(`${url.pathname}${url.search}`);
  };
  page.on('response', (response) => note(new URL(response.url()), response.headers()['content-type']));
  await visit(page, path);
  await page.waitForLoadState('networkidle', { timeout: SETTLED_MS }).catch(() => {});
  page.removeAllListeners('response');
  return [...asked];
}
