import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA, and what is good practice beside. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong with a page, one line each. */
export async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page })
    // Without frames there is nothing to put together, for which each audit would open another page.
    .setLegacyMode(true)
    // It need not describe the hundreds of elements that pass.
    .options({ resultTypes: ['violations'] })
    .withTags(TAGS)
    .analyze();
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`),
  );
}

/** Phones to wide screens, in pixels. */
const WIDTHS = Array.from({ length: 33 }, (_, index) => 320 + 40 * index);

/** The widths of a window, one line each, at which the page is cut, or breaks an id that stands in a table. */
export async function badWidths(page: Page): Promise<string[]> {
  const bad: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const [scrolls, breaks] = await page.evaluate<[boolean, boolean]>(`[${SCROLLS_SIDEWAYS}, ${BREAKS_ID}]`);
    if (scrolls) bad.push(`${width}: scrolls sideways`);
    if (breaks) bad.push(`${width}: breaks an id`);
  }
  return bad;
}

const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Whether the text of an id has several lines, in a row that is none of a card. */
const BREAKS_ID = `[...document.querySelectorAll('td > .id, th > .id')].some((id) => {
  const isRow = getComputedStyle(id.closest('tr')).display === 'table-row';
  return isRow && id.getClientRects().length > 1;
})`;

/** Whether the page has to be scrolled sideways. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(SCROLLS_SIDEWAYS);
}
