import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  aSampleDashboard,
  describeAccessibility,
  type SampleDashboard,
  violationsOf,
} from './describe-accessibility.ts';
import { viewsOfEveryRun } from './views.ts';

let sample: SampleDashboard;

beforeAll(async () => {
  sample = await aSampleDashboard();
});
afterAll(() => sample?.dashboard.stop());
afterEach(() => expect(sample.dashboard.problems()).toEqual([]));

describeAccessibility('in the light scheme', { scheme: 'light' }, () => sample, viewsOfEveryRun);

it('axe finds no violations in the menu of a narrow window', async () => {
  const { page } = await sample.dashboard.user('/keys', { width: 375 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Usage' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

it('a link of the menu moves the focus to its page', async () => {
  const { page } = await sample.dashboard.user('/keys', { width: 375 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('page');
});
