import type { Page } from 'playwright-core';

/** From the list of branches. */
export async function createBranchByKeyboard(page: Page, name: string): Promise<void> {
  await tabTo(page, 'Create branch');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** From the page of a draft. */
export async function leadToMergedByKeyboard(page: Page): Promise<void> {
  const status = page.locator('.heading .status');
  for (const [verb, reached] of [
    ['Mark ready for review', 'Ready for review'],
    ['Approve', 'Approved'],
  ] as const) {
    await page.getByRole('button', { name: verb, exact: true }).waitFor();
    await tabTo(page, verb);
    await page.keyboard.press('Enter');
    await status.filter({ hasText: reached }).waitFor();
  }
  await tabTo(page, 'Mark as merged');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, 'Mark as merged');
  await page.keyboard.press('Enter');
  await status.filter({ hasText: 'Merged' }).waitFor();
}

/** The text of what has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement?.textContent?.trim() ?? ""');
}

/** Presses Tab until what has this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No press of Tab led to “${name}”.`);
}
