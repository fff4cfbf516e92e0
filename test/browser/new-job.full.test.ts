// @module-tag dashboard
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aDashboardWithVideos } from '../builders/dashboard/dashboard-with-videos.ts';
import { aSharedDashboard } from '../builders/dashboard/shared-dashboard.ts';
import { previewedRequest } from './previewed-request.ts';

const dashboard = aSharedDashboard(aDashboardWithVideos);

function videoTime(page: Page): Promise<number> {
  return page.evaluate('document.querySelector("video").currentTime');
}

describe('the form for a new job', () => {
  it('uploads a file, creates the job and plays the result beside the input', async () => {
    const { page } = await dashboard.user('/new');
    await page.locator('input[type=file]').setInputFiles(await dashboard.videoFiles.called('holiday film.mp4'));
    await page.getByText('holiday film.mp4').waitFor();
    await page.getByRole('button', { name: 'Upload and create job' }).click();
    await page.getByRole('heading', { name: 'holiday film.mp4' }).waitFor();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    await page.evaluate('document.querySelector("video").play()');
    await expect.poll(() => videoTime(page)).toBeGreaterThan(0.2);

    await page.getByRole('button', { name: 'Compare with input' }).click();
    await page.getByRole('button', { name: 'Play both' }).click();
    await expect.poll(() => videoTime(page)).toBeGreaterThan(0.2);
    await page.getByRole('slider', { name: 'Share of the input' }).press('ArrowRight');
    await page.getByText('Input size').waitFor();
  });

  it('shows an invalid parameter at once, and the errors of the API after submission', async () => {
    const { page } = await dashboard.user('/new');
    const create = page.getByRole('button', { name: 'Create job' });
    await page.getByText('Missing: a file or a URL').waitFor();
    await page.getByRole('radio', { name: 'Resize' }).click();
    await page.getByLabel('Or paste a URL').fill(`${dashboard.customer.origin}/film.mp4`);
    await page.getByLabel('Width').fill('7');
    await page.getByText('Must be at least 16', { exact: true }).waitFor();
    expect(await create.isDisabled()).toBe(true);
    await page.getByText('Correct the fields that are marked').waitFor();
    await page.getByLabel('Width').fill('');
    await create.click();
    await page.getByText('Must have width, height or both', { exact: true }).waitFor();
  });

  it('moves the focus to the field that the API rejects', async () => {
    const { page } = await dashboard.user('/new');
    const url = page.getByLabel('Or paste a URL');
    await url.fill('not a url');
    for (const _ of ['the first try', 'another try']) {
      await page.getByRole('button', { name: 'Create job' }).click();
      await page.locator(':focus:invalid, :focus[aria-invalid="true"]').waitFor();
      expect(await url.evaluate('document.activeElement.type')).toBe('url');
    }
  });

  it('shows its button on a small screen, wherever the page is scrolled to', async () => {
    const { page } = await dashboard.user('/new');
    await page.setViewportSize({ width: 1280, height: 600 });
    const file = { name: `${'long '.repeat(30)}.mp4`, mimeType: 'video/mp4', buffer: Buffer.from('video') };
    await page.locator('input[type=file]').setInputFiles(file);
    const create = page.getByRole('button', { name: 'Upload and create job' });
    for (const y of [0, 400, 4_000]) {
      await page.evaluate(`window.scrollTo(0, ${y})`);
      const { y: top = 0, height = 0 } = (await create.boundingBox()) ?? {};
      expect(top).toBeGreaterThan(0);
      expect(top + height).toBeLessThan(600);
      expect(height).toBeGreaterThan(30);
    }
  });

  it('previews the request as JSON, curl, TypeScript and a command line', async () => {
    const { page } = await dashboard.user('/new');
    await page.getByLabel('Or paste a URL').fill("https://media.example/it's.mp4");
    await page.getByRole('slider', { name: 'CRF' }).press('ArrowRight');
    await page.getByText('29 · Small, with visible loss').waitFor();
    expect(await previewedRequest(page)).toMatchObject({ recipe: { name: 'compress', crf: 29 } });
    await page.getByRole('button', { name: 'Default' }).click();
    expect(await previewedRequest(page)).toMatchObject({ recipe: { name: 'compress' } });
    for (const [tool, excerpt] of [
      ['curl', "it'\\''s.mp4"],
      ['TypeScript', 'await fetch('],
      ['CLI', '--recipe compress'],
    ] as const) {
      await page.getByText(tool, { exact: true }).click();
      expect(await page.getByLabel(`Request as ${tool}`, { exact: true }).textContent()).toContain(excerpt);
    }
  });

  it('has number fields, selects and switches according to the schema of the recipe', async () => {
    const { page } = await dashboard.user('/new');
    await page.getByRole('radio', { name: 'Rotate' }).click();
    await page.getByLabel('Degrees').selectOption('90');
    await page.getByLabel('Flip').selectOption('vertical');
    expect(await previewedRequest(page)).toMatchObject({ recipe: { degrees: 90, flip: 'vertical' } });

    await page.getByRole('radio', { name: 'Speed' }).click();
    await page.getByRole('slider', { name: 'Factor' }).press('ArrowRight');
    expect(await previewedRequest(page)).toMatchObject({ recipe: { name: 'speed', factor: 1.55 } });

    await page.getByRole('radio', { name: 'GIF' }).click();
    await page.getByRole('switch', { name: 'Loop' }).click();
    await page.getByLabel('Seconds').fill('2.5');
    expect(await previewedRequest(page)).toEqual({
      mode: 'recipe',
      input: { url: 'https://…' },
      output: { format: 'gif' },
      recipe: { name: 'gif', seconds: 2.5, loop: false },
    });

    await page.getByRole('radio', { name: 'Thumbnail', exact: true }).click();
    await page.getByLabel('At', { exact: true }).fill('12.5');
    expect(await previewedRequest(page)).toMatchObject({ recipe: { name: 'thumbnail', at: 12.5 } });
  });

  it('creates a pipeline of several steps, and duplicates it', async () => {
    const { page } = await dashboard.user('/new');
    await page.getByLabel('Or paste a URL').fill(`${dashboard.customer.origin}/film.mp4`);
    const add = page.getByRole('button', { name: 'Add a step before' });
    await add.click();
    await page.getByLabel('Recipe of step 1').selectOption('mute');
    await add.click();
    await page.getByLabel('Recipe of step 2').selectOption('clip');
    await page.getByLabel('End', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Move Step 2 up' }).click();
    await page.getByLabel('Keep result as').first().fill('Cut out');
    await page.getByRole('radio', { name: 'GIF' }).click();
    await page.getByLabel('Width').fill('160');
    await page.getByRole('button', { name: 'Create job' }).click();
    await page.getByText('Must be up to 40 lower-case letters, digits and hyphens; not').waitFor();
    await page.getByLabel('Keep result as').first().fill('cut');
    await page.getByRole('button', { name: 'Create job' }).click();
    await page.getByRole('heading', { name: '2 files' }).waitFor();
    await page.getByText('Clip, mute, gif to gif').first().waitFor();

    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'Step 2' }).waitFor();
    await page.getByRole('button', { name: 'Remove Step 2' }).click();
    expect(await previewedRequest(page)).toMatchObject({
      mode: 'pipeline',
      steps: [{ name: 'cut', recipe: { name: 'clip', end: 1 } }, { recipe: { name: 'gif', width: 160 } }],
    });
  });
});
