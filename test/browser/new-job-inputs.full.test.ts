// @module-tag dashboard
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aDashboardWithVideos } from '../builders/dashboard/dashboard-with-videos.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { previewedRequest } from './previewed-request.ts';
import { pixelPng } from './views.ts';

const dashboard = aSharedDashboard(aDashboardWithVideos);

/** A form that uploads its file over a slow network. */
async function aSlowUpload(): Promise<Page> {
  const { page, context } = await dashboard.user('/new');
  const network = await context.newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 500_000,
  });
  await page.locator('input[type=file]').setInputFiles(await dashboard.videoFiles.called('long way.mp4'));
  await page.getByRole('button', { name: 'Upload and create job' }).click();
  return page;
}

describe('the form for a new job', () => {
  it('accepts a file dropped from the desktop', async () => {
    const { page } = await dashboard.user('/new');
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['film'], 'from the desktop.mp4', { type: 'video/mp4' }));
      return data;
    })()`);
    await page
      .getByRole('button', { name: 'Drop a file here, or click to browse' })
      .dispatchEvent('drop', { dataTransfer: data });
    await page.getByText('from the desktop.mp4', { exact: true }).waitFor();
  });

  it('opens the file dialog and chooses a recipe by keyboard', async () => {
    const { page } = await dashboard.user('/new');
    const button = page.getByRole('button', { name: 'Drop a file here, or click to browse' });
    await button.waitFor();
    await page.evaluate(
      `document.querySelector('input[type=file]').addEventListener('click', () => { window.isOpened = true; })`,
    );
    await button.press('Enter');
    await expect.poll(() => page.evaluate('window.isOpened')).toBe(true);

    const recipes = page.getByRole('radiogroup', { name: 'Recipe' });
    await page.getByRole('button', { name: 'Add a step before' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await recipes.getByRole('radio', { name: 'Transcode', checked: true }).waitFor();
    // The group is one Tab stop.
    await page.keyboard.press('Tab');
    expect(await recipes.locator(':focus').count()).toBe(0);
  });

  it('rejects an empty file before its upload', async () => {
    const { page } = await dashboard.user('/new');
    const empty = { name: 'empty.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(0) };
    await page.locator('input[type=file]').first().setInputFiles(empty);
    await page.getByRole('alert').getByText('This file is empty').waitFor();
    expect(await page.getByRole('button', { name: 'Upload and create job' }).isDisabled()).toBe(true);
  });

  it('shows the progress of the upload, and cancels it without an error', async () => {
    const page = await aSlowUpload();
    await page.getByText(/Uploading · [1-9]\d*%/).waitFor();
    expect(await page.locator('form > [inert]').count()).toBe(1);
    expect(await page.getByRole('progressbar', { name: 'Upload' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const cancelled = page.getByText('Upload cancelled.');
    await cancelled.and(page.locator(':focus')).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);

    await page.getByRole('button', { name: 'Remove file: Source' }).click();
    await cancelled.waitFor({ state: 'detached' });
    await page.locator('input[type=file]').setInputFiles(await dashboard.videoFiles.called('other way.mp4'));
    await page.getByRole('button', { name: 'Upload and create job' }).click();
    await page.getByText(/Uploading · [1-9]\d*%/).waitFor();
  });

  it('asks for confirmation before the user leaves during an upload', async () => {
    const page = await aSlowUpload();
    await page.getByText(/Uploading/).waitFor();
    page.once('dialog', (question) => question.dismiss());
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText(/Uploading · [1-9]\d*%/).waitFor();

    const uploadAborted = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT');
    page.once('dialog', (question) => question.accept());
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    await uploadAborted;
  });

  it('uploads a file for a parameter that takes a URL', async () => {
    const { page } = await dashboard.user('/new');
    await page.getByRole('radio', { name: 'Watermark' }).click();
    await page.getByText('Missing: a file or a URL, Image').waitFor();
    await page.getByLabel('Or paste a URL').fill(`${dashboard.customer.origin}/film.mp4`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file for Image' }).click();
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pixelPng });
    await page.getByRole('slider', { name: 'Opacity' }).press('ArrowLeft');
    await page.getByLabel('Position').selectOption('top-left');
    await page.getByRole('button', { name: 'Upload and create job' }).click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    const [jobId = ''] = /[^/]+$/.exec(page.url()) ?? [];
    expect((await dashboard.ended(jobId)).request.recipe).toMatchObject({
      name: 'watermark',
      image: expect.stringMatching(/^upload:.*logo\.png$/),
      opacity: 0.99,
      position: 'top-left',
    });
  });

  it('takes several inputs in the chosen order', async () => {
    const { page } = await dashboard.user('/new');
    await page.getByRole('radio', { name: 'Concatenate' }).click();
    await page.getByText('Missing: all inputs').waitFor();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(await dashboard.videoFiles.called('second.mp4'));
    await page.getByLabel('Input 2', { exact: true }).fill(`${dashboard.customer.origin}/first.mp4`);
    await page.getByRole('button', { name: 'Move input 2 up' }).click();
    expect(await previewedRequest(page)).toMatchObject({
      inputs: [{ url: `${dashboard.customer.origin}/first.mp4` }, { url: 'upload://…/second.mp4' }],
    });
    await page.getByRole('button', { name: 'Add input' }).click();
    await page.getByText('Missing: all inputs').waitFor();
    await page.getByRole('button', { name: 'Remove input 3' }).click();
    await page.getByLabel('Width').fill('320');
    await page.getByRole('button', { name: 'Upload and create job' }).click();
    await page.getByRole('heading', { name: 'first.mp4 and 1 more' }).waitFor();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    await page.getByText('Input 2', { exact: true }).waitFor();
  });

  it('duplicates the request of another job', async () => {
    const recipe = { name: 'resize', width: 320 };
    const { jobId } = await dashboard.submit({ name: 'missing.mp4', recipe, format: 'webm' });
    const { page } = await dashboard.user(`/jobs/${jobId}`);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'Resize options' }).waitFor();
    expect(await page.getByLabel('Format').inputValue()).toBe('webm');
    await page.getByLabel('Width').fill('640');
    await page.getByRole('button', { name: 'Create job' }).click();
    await page.getByText('Input unreachable').waitFor();
    expect(page.url()).not.toContain(jobId);
  });

  it('estimates a copy by what its original tells of the input', async () => {
    const { jobId } = await dashboard.submit({ name: 'film.mp4' });
    const { inputSizeBytes, output_files } = await dashboard.ended(jobId);
    const { page } = await dashboard.user('/jobs');
    const estimate = page.waitForRequest(/\/jobs\/estimate$/);
    await page.goto(`/app/new?duplicateOf=${jobId}`);
    const durationSeconds = output_files?.output?.duration;
    expect((await estimate).postDataJSON().media).toMatchObject({
      durationSeconds,
      sizeBytes: inputSizeBytes,
    });
  });
});
