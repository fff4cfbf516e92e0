// @module-tag nightly
// @module-tag dashboard
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newJobId } from '../../adapters/system/clock.ts';
import { localOwnerId } from '../../lib/settings/local-owner.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { aCompletedJob, withSettledDelivery } from '../builders/jobs/ended-jobs.ts';
import { storeJobs } from '../builders/stage/stored-jobs.ts';
import { previewedRequest } from './previewed-request.ts';

const dashboard = aSharedDashboard();

const secret = 'a/secret+access+key/of+this+test';

async function addProvider(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add storage provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Bucket').fill('archive');
  await dialog.getByLabel('Region').fill('us-east-1');
  await dialog.getByText('"sts:AssumeRole"').waitFor();
  await dialog.getByRole('radio', { name: 'Access key' }).check();
  await dialog.getByLabel('Access key ID').fill('S3RVER');
  await dialog.getByText('Missing: secret access key').waitFor();
  await dialog.getByLabel('Secret access key').fill(secret);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

it('a storage provider is added, tested step by step, changed and removed', async () => {
  const { page } = await dashboard.user('/storage');
  await page.getByRole('heading', { name: 'No storage providers yet' }).waitFor();
  await addProvider(page, '<b>Archive</b>');
  const item = page.getByRole('listitem').filter({ hasText: '<b>Archive</b>' });
  await item.getByText('Not tested since the last change.').waitFor();
  await page.getByRole('button', { name: 'Test <b>Archive</b>' }).click();
  await item.getByText('Write failed: the provider answered NoSuchBucket (404).').waitFor();
  const steps = item.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem');
  expect(await steps.allTextContents()).toEqual([
    ...['Access: ok', 'Write: failed', 'Read: not run', 'List: not run', 'Removal: not run'],
  ]);

  await page.getByRole('button', { name: 'Edit <b>Archive</b>' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Secret access key').inputValue()).toBe('');
  await dialog.getByLabel('Prefix').fill('/videos');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Must not begin with a slash').waitFor();
  await dialog.getByLabel('Prefix').fill('videos/');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await item.getByText('archive/videos/').waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Remove <b>Archive</b>' }).click();
  await dialog.getByRole('button', { name: 'Remove storage provider' }).click();
  await page.getByRole('heading', { name: 'No storage providers yet' }).waitFor();
});

it('a storage provider is the default, and a choice for a new job', async () => {
  const { page } = await dashboard.user('/storage');
  await addProvider(page, 'Videos');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Storage provider', { exact: true }).selectOption('Videos (archive)');
  await page.getByRole('button', { name: 'Save default storage' }).click();
  await page.getByText('Default storage saved').waitFor();
  const { body } = await dashboard.running.api('GET', '/api/v1/settings');
  const { defaultStorageProviderId: id } = body as { defaultStorageProviderId: string };

  await page.getByRole('link', { name: 'Storage', exact: true }).click();
  await page.getByRole('button', { name: 'Remove Videos' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove storage provider' }).click();
  await page.getByText('The storage provider is the default: set another default first.').waitFor();

  await page.getByRole('link', { name: 'New job' }).first().click();
  await page.getByRole('button', { name: 'Use a storage provider' }).click();
  await page.getByLabel('Key of the object').fill('raw/a film.mp4');
  await page.getByLabel('Storage', { exact: true }).selectOption('Videos (archive)');
  await page.getByLabel('Key', { exact: true }).fill('{date}/{name}.{extension}');
  expect(await previewedRequest(page)).toMatchObject({
    input: { storageProviderId: id, key: 'raw/a film.mp4' },
    output: { storageProviderId: id, key: '{date}/{name}.{extension}' },
  });
});

it('a job with files at a storage provider has no preview, and is deleted with these files on request', async () => {
  const storageProviderId = `sp_${'1'.repeat(32)}`;
  const completed = aCompletedJob();
  const { output } = completed.files;
  const jobId = newJobId(new Date());
  const job = withSettledDelivery(
    aCompletedJob({
      ownerId: localOwnerId,
      jobId,
      destination: { storageProviderId, keyTemplate: '{jobId}/{name}.{extension}' },
      publication: `work/${jobId}/publications/1.json`,
      filesExpireAt: new Date(Date.now() + 86_400_000).toISOString(),
      files: output && { output: { ...output, storage: { storageProviderId, key: 'videos/output.mp4' } } },
    }),
    'delivered',
  );
  await storeJobs(dashboard.running.stage, [job]);
  const { page } = await dashboard.user(`/jobs/${jobId}`);
  await page.getByText('this page loads media from its own storage only').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Also delete the files at the storage provider').check();
  const request = page.waitForRequest((each) => each.method() === 'DELETE');
  await dialog.getByRole('button', { name: 'Delete job' }).click();
  expect(new URL((await request).url()).search).toBe('?files=true');
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
});
