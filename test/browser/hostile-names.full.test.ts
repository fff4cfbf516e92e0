import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  aDashboardWithVideos,
  type DashboardWithVideos,
} from '../builders/dashboard/dashboard-with-videos.ts';
import { activeContent, expectPlainText, hostileNames } from './hostile-file-names.ts';

let dashboard: DashboardWithVideos;

beforeAll(async () => {
  dashboard = await aDashboardWithVideos();
});
afterAll(() => dashboard?.stop());
afterEach(() => expect(dashboard.problems()).toEqual([]));

describe('a hostile name', () => {
  it.each(hostileNames)(
    'in a URL (%s) is plain text in the list, on its page and in its title',
    async (_, name, shown) => {
      await expectPlainText(dashboard, { name, shown });
    },
  );

  it.each(hostileNames)(
    'of an uploaded file (%s) is plain text on every page of its job',
    async (_, name, shown) => {
      const { page } = await dashboard.user('/new');
      await page.locator('input[type=file]').setInputFiles(await dashboard.videoFiles.called(name));
      await page.getByText(shown, { exact: true }).waitFor();
      expect(await activeContent(page)).toEqual([]);
      await page.getByRole('button', { name: 'Upload and create job' }).click();
      await page.getByRole('heading', { name: 'Result' }).waitFor();
      for (const tab of ['Overview', 'Request', 'Webhooks', 'Log']) {
        await page.getByRole('tab', { name: tab }).click();
        expect(await activeContent(page)).toEqual([]);
      }
      await page.getByRole('link', { name: 'Jobs' }).first().click();
      await page.locator('[data-job]').first().waitFor();
      expect(await activeContent(page)).toEqual([]);
    },
  );
});
