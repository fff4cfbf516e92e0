// @module-tag nightly
// @module-tag dashboard
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { cachedFile, generatedFile } from '@media-jobs/video/testing';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import type { Playback } from '../../core/api/playback.ts';
import { aBrowser } from '../builders/dashboard/browser.ts';
import { dashJs, hlsJs, type PlayerScript, shaka, videoJs } from '../builders/players/controls.ts';
import { aPlayerPage, keyUri, type PlayerPage } from '../builders/players/player-page.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aMovedClock, type MovedClock } from '../builders/stage/moved-clock.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

const hourMs = 3_600_000;
/** For the build of a stage, and three streams that it encodes at once. */
const stageTimeoutMs = 300_000;
const seconds = 24;
/** Two sizes, then the audio in the order of the source. */
const audioFiles = { de: 'stream_2.mp4', en: 'stream_3.mp4' };

const contentKey = randomBytes(16);

let clock: MovedClock;
let running: RunningStage;
let customer: WebServer;
let browser: Browser;
let streams: Record<'clear' | 'aes-128', JobResource>;
let opened: PlayerPage | undefined;

beforeAll(async () => {
  const video = await readFile(await aVideo());
  clock = await aMovedClock();
  const assemblyDirectory = await anAssemblyWith({ playback: { edge: true }, edge: { accessLogs: false } });
  const { preload } = clock;
  [running, browser] = await Promise.all([aRunningStage({ preload, assemblyDirectory }), aBrowser()]);
  await running.stage.fireSchedules();
  customer = await aWebServer((_, response) => response.end(video));
  const key = { key: contentKey.toString('hex'), keyUri };
  const [clear, whole] = await Promise.all([submit({}), submit({ encryption: { scheme: 'aes-128', ...key } })]);
  streams = { clear, 'aes-128': whole };
}, stageTimeoutMs);
afterEach(() => opened?.close());
afterAll(async () => {
  await browser?.close();
  await customer?.close();
  await running?.stop();
  await clock?.stop();
});

describe.each<[string, PlayerScript, 'hls' | 'dash', keyof typeof streams, 'api'?]>([
  ['hls.js by the API', hlsJs, 'hls', 'clear', 'api'],
  ['hls.js', hlsJs, 'hls', 'clear'],
  ['hls.js, aes-128', hlsJs, 'hls', 'aes-128'],
  ['shaka-player by HLS', shaka, 'hls', 'clear'],
  ['shaka-player by HLS, aes-128', shaka, 'hls', 'aes-128'],
  ['shaka-player by DASH', shaka, 'dash', 'clear'],
  ['dash.js', dashJs, 'dash', 'clear'],
  ['video.js', videoJs, 'hls', 'clear'],
  ['video.js, aes-128', videoJs, 'hls', 'aes-128'],
])('%s, through the edge from another origin', (_, player, manifest, stream, delivery) => {
  it('switches quality and language, shows subtitles, and seeks after a pause of two hours', async () => {
    const url = (delivery === 'api' ? streams[stream].outputs?.[manifest] : await edgeUrl(stream, manifest)) ?? '';
    opened = await aPlayerPage(browser, { player, url, contentKey });
    const { evaluate, newFiles } = opened;
    const errors = () => evaluate<unknown[]>('control.errors');
    await expect.poll(() => evaluate<number>('video.readyState')).toBeGreaterThanOrEqual(2);
    expect((await evaluate<number[]>('control.heights()')).toSorted()).toEqual([240, 360]);
    expect((await evaluate<string[]>('control.languages()')).toSorted()).toEqual(['de', 'en']);
    expect(await evaluate<number>('video.duration')).toBeCloseTo(seconds, 0);
    await evaluate('video.play().then(() => 0)');

    for (const height of [240, 360]) {
      await evaluate(`void control.chooseHeight(${height})`);
      await expect.poll(() => evaluate('video.videoHeight')).toBe(height);
    }

    expect(newFiles()).toContain(audioFiles.de);
    await evaluate("void control.chooseLanguage('en')");
    await expect.poll(newFiles).toContain(audioFiles.en);

    await evaluate('void control.showSubtitles()');
    await expect.poll(() => evaluate<string[]>(shownCues)).toContain('Good evening');

    await evaluate('void video.pause()');
    await clock.advance(2 * hourMs);
    newFiles();
    await evaluate(`void (video.currentTime = ${seconds - 5})`);
    await evaluate('video.play().then(() => 0)');
    await expect.poll(() => evaluate<number>('video.seeking ? 0 : video.currentTime')).toBeGreaterThan(seconds - 4);
    const files = newFiles();
    expect(files).toContain(audioFiles.en);
    expect(files).not.toContain(audioFiles.de);
    expect(await errors()).toEqual([]);
  });
});

async function edgeUrl(stream: keyof typeof streams, manifest: 'hls' | 'dash'): Promise<string | undefined> {
  const { body } = await running.api('POST', `/api/v1/jobs/${streams[stream].jobId}/playback`);
  expect(body).toMatchObject({ delivery: 'edge' });
  return (body as Playback)[manifest];
}

it('the page of embedUrl plays in a frame of another origin, by its keys, with captions, quality, poster and thumbnails', async () => {
  const { jobId } = await aPresentedJob();
  const { embedUrl } = (await running.api('POST', `/api/v1/jobs/${jobId}/playback`)).body as Playback;
  const site = await aWebServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><iframe width="640" height="360" src="${embedUrl}"></iframe>`),
  );
  const page = await browser.newPage();
  try {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(site.origin);
    const frame = page.frames()[1];
    if (frame === undefined) throw new Error('There is no frame');
    const video = (expression: string) => frame.evaluate(`((video) => ${expression})(document.querySelector('video'))`);
    const play = frame.locator('#play');
    await frame.locator('#quality').waitFor();
    expect(await frame.locator('#quality option').count()).toBe(3);
    expect(await frame.locator('#language option').count()).toBe(2);
    const widthOf = (url: string) => `new Promise((done) => {
      const image = new Image();
      image.onload = image.onerror = () => done(image.naturalWidth);
      image.src = ${url};
    })`;
    expect(await video(widthOf('video.poster'))).toBe(640);

    const seek = frame.locator('#seek');
    const preview = frame.locator('#preview');
    const { width = 0 } = (await seek.boundingBox()) ?? {};
    const shownAt = async (share: number) => {
      await seek.hover({ position: { x: width * share, y: 5 } });
      await preview.waitFor();
      return preview.evaluate(({ style }) => `${style.backgroundImage} ${style.backgroundPosition}`);
    };
    const early = await shownAt(0.1);
    expect(await shownAt(0.9)).not.toBe(early);
    expect(await video(widthOf(`${JSON.stringify(/url\("(.+)"\)/.exec(early)?.[1])}`))).toBeGreaterThan(100);
    await play.hover();
    expect(await preview.isHidden()).toBe(true);

    await frame.evaluate("document.querySelector('video').muted = true");
    await play.focus();
    await play.press('k');
    await expect.poll(() => video('video.currentTime')).toBeGreaterThan(0.5);
    await frame.locator('#quality').selectOption({ index: 1 });
    const height = Number.parseInt((await frame.locator('#quality option').nth(1).textContent()) ?? '', 10);
    await expect.poll(() => video('video.videoHeight')).toBe(height);
    await play.press('c');
    await expect.poll(() => video("[...video.textTracks].some(({ mode }) => mode === 'showing')")).toBe(true);
    await play.press('c');
    await expect.poll(() => video("[...video.textTracks].some(({ mode }) => mode === 'showing')")).toBe(false);
    await play.press('ArrowRight');
    await expect.poll(() => video('video.currentTime')).toBeGreaterThan(5);
    await play.press('Home');
    await expect.poll(() => video('video.currentTime')).toBeLessThan(5);
    await play.press(' ');
    await expect.poll(() => video('video.paused')).toBe(true);
    expect(await page.context().cookies()).toEqual([]);
    expect([errors, await frame.locator('[role=alert]').isVisible()]).toEqual([[], false]);
  } finally {
    await page.close();
    await site.close();
  }
});

/** A stream with its poster and the thumbnails of its seek bar. */
async function aPresentedJob(): Promise<JobResource> {
  const outputs = {
    stream: { recipe: { name: 'hls', segmentSeconds: 2, preset: 'ultrafast' }, format: 'm3u8' },
    poster: { recipe: { name: 'thumbnail', at: 1 }, format: 'jpg' },
    previews: { recipe: { name: 'sprite', every: 2 }, format: 'jpg' },
  };
  const request = { mode: 'outputs', input: { url: `${customer.origin}/film.mkv` }, outputs };
  const { body } = await running.api('POST', '/api/v1/jobs', request);
  const job = await waitForJobEnd(running.api, (body as JobResource).jobId);
  expect(job).toMatchObject({ state: 'completed' });
  return job;
}

/** The text of all cues that show now. */
const shownCues = `Array.from(control.textTracks ?? video.textTracks)
  .filter(({ mode }) => mode !== 'disabled')
  .flatMap(({ activeCues }) => Array.from(activeCues ?? [], ({ text }) => text))`;

async function submit(more: object): Promise<JobResource> {
  const { jobId } = await submitJob(running.api, {
    input: { url: `${customer.origin}/film.mkv` },
    output: { format: 'm3u8' },
    recipe: { name: 'hls', segmentSeconds: 2, preset: 'ultrafast', ...more },
  });
  const job = await waitForJobEnd(running.api, jobId);
  expect(job).toMatchObject({ state: 'completed' });
  return job;
}

/** A video in two sizes with two languages and subtitles, which show nearly all the time. */
async function aVideo(): Promise<string> {
  const text = `1\n00:00:00,500 --> 00:00:${seconds - 1},000\nGood evening\n`;
  const subtitles = await cachedFile({ name: 'evening.srt', recipe: [text] }, (path) => writeFile(path, text));
  const tone = (hertz: number) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${seconds}`];
  return generatedFile('two-languages.mkv', [
    ...['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=25:duration=${seconds}`],
    ...[...tone(440), ...tone(880), '-i', subtitles],
    ...['-map', '0', '-map', '1', '-map', '2', '-map', '3'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-c:s', 'srt'],
    ...'-metadata:s:a:0 language=ger -metadata:s:a:1 language=eng -metadata:s:s:0 language=eng'.split(' '),
  ]);
}
