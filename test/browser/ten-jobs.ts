import { generatedFile } from '@media-jobs/video/testing';
import type { FileChooser, Page } from 'playwright-core';

/** What somebody of a product team does in the form for a new job, and what the page of the job then shows. */
export type Journey = {
  name: string;
  /** The name of the source. */
  source: string;
  fill: (page: Page) => Promise<unknown>;
  shows: (page: Page) => Promise<unknown>;
};

const recipe = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).click();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();

/** Chooses a file by the button beside a field. */
async function choose(page: Page, field: string, files: Parameters<FileChooser['setFiles']>[0]) {
  const chooser = page.waitForEvent('filechooser');
  await page
    .getByRole('button', { name: `Choose a file for ${field}` })
    .last()
    .click();
  await (await chooser).setFiles(files);
}

const captions = (language: string, words: string) => ({
  name: `${language}.vtt`,
  mimeType: 'text/vtt',
  buffer: Buffer.from(`WEBVTT\n\n00:00.000 --> 00:03.000\n${words}\n`),
});

const aPicture = (name: string, source: string) => generatedFile(name, ['-f', 'lavfi', '-i', source, '-frames:v', '1']);

async function addCaptions(page: Page, [language, label, words]: readonly [string, string, string]) {
  await page.getByRole('button', { name: 'Add subtitles' }).click();
  await choose(page, 'File or URL', captions(language, words));
  await page.getByRole('textbox', { name: 'Language' }).last().fill(language);
  await page.getByRole('textbox', { name: 'Name' }).last().fill(label);
}

/** Ten jobs of a product team. */
export const tenJobs: readonly Journey[] = [
  {
    name: 'a phone video made smaller',
    source: 'IMG_0042.mov',
    fill: (page) => recipe(page, 'Compress'),
    shows: async (page) => {
      await page.getByRole('link', { name: 'Download' }).waitFor();
      await text('Encoding')(page);
      await page.reload();
      await page.getByRole('button', { name: 'Compare with input' }).click();
      await page.getByRole('slider', { name: 'Position' }).fill('2');
    },
  },
  {
    name: 'a course as a stream with captions in two languages',
    source: 'lesson-12.mp4',
    fill: async (page) => {
      await recipe(page, 'HLS and DASH');
      await addCaptions(page, ['en', 'English', 'Welcome']);
      await addCaptions(page, ['de', 'Deutsch', 'Willkommen']);
    },
    shows: (page) => page.getByRole('button', { name: 'Make URLs for viewers' }).waitFor(),
  },
  {
    name: 'a set for a player: stream, seek bar and poster',
    source: 'trailer.mp4',
    fill: async (page) => {
      await recipe(page, 'HLS and DASH');
      for (const [index, each] of ['sprite', 'thumbnail'].entries()) {
        await page.getByRole('button', { name: 'Add output' }).click();
        await page.getByLabel(`Recipe of output-${index + 2}`).selectOption(each);
      }
    },
    shows: async (page) => {
      await page.getByRole('link', { name: 'Duplicate' }).waitFor();
      await page.getByLabel('Output to show').selectOption('output-2');
      await page.getByRole('slider', { name: 'Thumbnail' }).waitFor();
    },
  },
  {
    name: 'a podcast with its cover',
    source: 'interview.mp4',
    fill: async (page) => {
      await recipe(page, 'Extract audio');
      await page.getByRole('textbox', { name: 'Title' }).fill('Episode 7');
      await page.getByRole('textbox', { name: 'Artist' }).fill('The team');
      await choose(page, 'Cover', await aPicture('cover.png', 'gradients=size=300x300:rate=1:c0=navy:c1=orange'));
    },
    shows: text(/\.mp3$/),
  },
  {
    name: 'a GIF',
    source: 'demo.mp4',
    fill: async (page) => {
      await recipe(page, 'GIF');
      await page.getByLabel('Start').fill('1');
    },
    shows: (page) => page.getByRole('img', { name: /\.gif$/ }).waitFor(),
  },
  {
    name: 'a watermark',
    source: 'release.mp4',
    fill: async (page) => {
      await recipe(page, 'Watermark');
      await choose(page, 'Image', await aPicture('logo.png', 'color=c=orange:size=200x80:rate=1'));
      await page.getByRole('button', { name: 'Top left' }).click();
    },
    shows: (page) => page.getByRole('button', { name: 'Compare with input' }).waitFor(),
  },
  {
    name: 'a vertical video, 9:16',
    source: 'talk.mp4',
    fill: async (page) => {
      await recipe(page, 'Resize');
      await page.getByRole('button', { name: /^9:16/ }).click();
      await page.getByRole('button', { name: 'Left', exact: true }).click();
    },
    shows: text('1080 × 1920'),
  },
  {
    name: 'a clip',
    source: 'webinar.mp4',
    fill: async (page) => {
      await recipe(page, 'Clip');
      for (let steps = 0; steps < 12; steps++)
        await page.getByRole('slider', { name: 'First frame' }).press('ArrowRight');
      await page.getByRole('slider', { name: 'Last frame' }).press('ArrowLeft');
    },
    shows: (page) => page.getByRole('button', { name: 'Compare with input' }).waitFor(),
  },
  {
    name: 'a recorded meeting at an even loudness',
    source: 'meeting 2026-03-02.mp4',
    fill: (page) => recipe(page, 'Normalize audio'),
    shows: text(/LUFS before, .* LUFS after/),
  },
  {
    name: 'an archive copy in ProRes',
    source: 'master.mp4',
    fill: async (page) => {
      await recipe(page, 'Transcode');
      await page.getByLabel('Codec', { exact: true }).selectOption('prores');
    },
    shows: text('This browser cannot show the file'),
  },
];
