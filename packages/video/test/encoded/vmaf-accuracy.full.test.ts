// @module-tag nightly
// @module-tag quality
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { measureOutput, runTask } from '../../src/encoding/plan.ts';
import { finishedSampling } from '../../src/encoding/video/sampling.ts';
import { measureVmaf } from '../../src/encoding/video/vmaf-samples.ts';
import { evenSize } from '../../src/media/frame-size.ts';
import { requireVideo } from '../../src/media/probe/streams.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

const seconds = 200;

/** Sources of lavfi that are easy or hard to encode. A strip is 1920x240 on a display: a frame takes little time. */
const strip = 'size=640x80:rate=5';
const scenes = {
  bars: `smptebars=${strip}`,
  test: `testsrc2=${strip}`,
  gradient: `gradients=${strip}:speed=0.05:seed=7`,
  life: `life=${strip}:seed=7:mold=10:ratio=0.2`,
  fractal: `mandelbrot=${strip}`,
  noise: `testsrc2=${strip},noise=alls=40:allf=t`,
};

type Scene = [keyof typeof scenes, number];

/** Lengths of scenes, repeated until the end. */
const clips: Record<string, Scene[]> = {
  'one scene': [['test', 200]],
  'a hard scene at the end': [
    ['test', 180],
    ['noise', 20],
  ],
  'a hard minute in the middle': [
    ['gradient', 70],
    ['noise', 60],
    ['bars', 70],
  ],
  'scenes of ten seconds': [
    ['test', 10],
    ['life', 10],
  ],
  'scenes as often as samples': [
    ['bars', 5 / 3],
    ['noise', 5 / 3],
  ],
  'short cuts': [
    ['test', 1.4],
    ['noise', 0.8],
    ['fractal', 1.2],
  ],
  'scenes of many lengths': [
    ['bars', 3],
    ['life', 17],
    ['test', 7],
    ['noise', 2],
    ['fractal', 29],
  ],
  'a zoom that gets harder': [['fractal', 200]],
  'fine patterns': [
    ['life', 40],
    ['gradient', 25],
  ],
  'noise with pauses': [
    ['noise', 12],
    ['bars', 4],
  ],
};

/** The scenes one after the other, repeated until the clip is long enough. */
function graphOf(pattern: Scene[]): string {
  const taken: Scene[] = [];
  for (let total = 0, index = 0; total < seconds - 0.01; index += 1) {
    const [name, length] = pattern[index % pattern.length] ?? ['test', seconds];
    taken.push([name, Math.min(length, seconds - total)]);
    total += length;
  }
  const parts = taken.map(
    ([name, length], n) => `${scenes[name]},trim=duration=${length.toFixed(3)},format=yuv420p[s${n}]`,
  );
  return `${parts.join(';')};${taken.map((_, n) => `[s${n}]`).join('')}concat=n=${taken.length}[out]`;
}

const encodeAs = (crf: number) => ['-an', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', String(crf)];

/** The score of samples and that of all frames, by the measurement that a job runs. */
async function bothScores(source: string, finished: string): Promise<{ sampled: number; whole: number }> {
  const encoder = anEncoder();
  const directory = await aTemporaryFolder();
  const probe = await encoder.probe(source);
  const compared = { path: source, probe, transform: { scale: evenSize(requireVideo(probe)) } };
  const options = { directory, signal: new AbortController().signal, timeLimitSeconds: 3_600, stallSeconds: 600 };
  const score = async (sampling: typeof finishedSampling) => {
    const measurement = measureVmaf(compared, finished, sampling);
    return (await measureOutput(measurement, (task) => runTask(encoder, task, options))).vmaf ?? 0;
  };
  return {
    sampled: await score(finishedSampling),
    whole: await score({ ...finishedSampling, wholeSeconds: Number.POSITIVE_INFINITY }),
  };
}

async function expectClose(name: string, source: string, finished: string): Promise<void> {
  const { sampled, whole } = await bothScores(source, finished);
  console.log(`${name}: ${sampled.toFixed(2)} on samples, ${whole.toFixed(2)} on all frames`);
  expect(Math.abs(sampled - whole)).toBeLessThan(0.5);
}

it.each(Object.entries(clips))(
  'the score of samples of a long video is within 0.5 of that of all frames %s',
  { timeout: 3_600_000 },
  async (name, pattern) => {
    const file = name.replaceAll(' ', '-');
    const source = await generatedFile(`accuracy-${file}.mp4`, [
      ...['-filter_complex', graphOf(pattern), '-map', '[out]', '-g', '50', ...encodeAs(8)],
    ]);
    await expectClose(
      name,
      source,
      await generatedFile(`accuracy-${file}-finished.mp4`, ['-i', source, ...encodeAs(36)]),
    );
  },
);

/** A folder of videos of your own: each is repeated until it is long enough. */
const folder = process.env.VMAF_CLIPS;

describe.skipIf(folder === undefined)(
  'the score of samples of a video in the folder VMAF_CLIPS is within 0.5 of that of all frames',
  async () => {
    const names =
      folder === undefined ? [] : (await readdir(folder)).filter((name) => /\.(mp4|mov|mkv|webm|ts)$/.test(name));
    it.each(names)('%s', { timeout: 7_200_000 }, async (name) => {
      const directory = await aTemporaryFolder();
      const [source, finished] = [join(directory, 'source.mp4'), join(directory, 'finished.mp4')];
      const repeated = ['-stream_loop', '-1', '-i', join(folder ?? '', name), '-t', String(seconds)];
      await bareFfmpeg([...repeated, ...encodeAs(12), '-pix_fmt', 'yuv420p', source]);
      await bareFfmpeg(['-i', source, ...encodeAs(34), finished]);
      await expectClose(name, source, finished);
    });
  },
);
