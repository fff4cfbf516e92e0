// @module-tag quality
// @module-tag timing
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { type OutputMeasurement, runTask } from '../../src/encoding/plan.ts';
import { measureVmaf as sampleVmaf } from '../../src/encoding/video/vmaf-samples.ts';
import { measureVmaf } from '../builders/measure/measure-vmaf.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { unusualClip } from '../builders/media/unusual-clips.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=4:duration=3'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '2', '-g', '12'];
/** 12 frames; containers whose time bases differ. */
const source = () => generatedFile('sampled-source.mkv', [...pattern, ...h264, '-crf', '4']);
const finished = () => generatedFile('sampled.mp4', [...pattern, ...h264, '-crf', '40']);

/** The frame scores of each sample: of one second, or one of a video that is not longer than `wholeSeconds`. */
async function scoresOfSamples(
  { path, finishedPath }: { path: string; finishedPath: string },
  { wholeSeconds, shares = 2 }: { wholeSeconds: number; shares?: number },
): Promise<(readonly number[])[]> {
  const encoder = anEncoder();
  const probe = await encoder.probe(path);
  const sampling = {
    wholeSeconds,
    sampleSeconds: 1,
    minSampleFrames: 1,
    shares,
    maxRounds: 1,
    maxStandardError: 0.25,
    maxWholeSeconds: 0,
  };
  const compared = { path, probe, transform: { scale: { width: 320, height: 180 } } };
  const { read } = sampleVmaf(compared, finishedPath, sampling);
  const { measure } = read('', [{ probe: await encoder.probe(finishedPath) }]) as OutputMeasurement;
  const directory = await aTemporaryFolder();
  const options = { directory, signal: new AbortController().signal, timeLimitSeconds: 120, stallSeconds: 60 };
  const scores: (readonly number[])[] = [];
  for (const task of measure) scores.push((await runTask(encoder, task, options)).frameScores ?? []);
  return scores;
}

it('frames of a sample score as in the whole file: each meets its own source', async () => {
  const files = { path: await source(), finishedPath: await finished() };
  const [whole = []] = await scoresOfSamples(files, { wholeSeconds: 3 });
  const mean = whole.reduce((sum, score) => sum + score, 0) / whole.length;
  const expected = await measureVmaf(await finished(), await source(), { width: 1920, height: 1080 });
  expect(mean).toBeCloseTo(expected, 1);
  // Frames 1 to 4 and 6 to 9, each behind the frame on screen at its start. libvmaf does not know the motion of the first,
  // nor all of that of the last.
  const samples = await scoresOfSamples(files, { wholeSeconds: 1 });
  const known = samples.flatMap((scores) => scores.slice(2, 4));
  const inWhole = [...whole.slice(2, 4), ...whole.slice(7, 9)];
  expect(known).toHaveLength(4);
  for (const [index, score] of known.entries()) expect(score).toBeCloseTo(inWhole[index] ?? 0, 1);
});

it('a sample of a screen recording has the frame on screen and those that start within it', async () => {
  const path = await unusualClip('pause');
  const { path: finishedPath } = await encodeOne(path, 'mkv', { name: 'compress', crf: 18 });
  const samples = await scoresOfSamples({ path, finishedPath }, { wholeSeconds: 1, shares: 5 });
  expect(samples).toHaveLength(5);
  // In the pause.
  expect(samples.filter((scores) => scores.length === 1).length).toBeGreaterThan(1);
  // Frames beside each other differ far more than the encoding.
  const counted = samples.flatMap((scores) => scores.slice(1));
  expect(counted.length).toBeGreaterThan(20);
  expect(Math.min(...counted)).toBeGreaterThan(80);
});

it.each(['ts', 'flv'])('samples of a video that starts after its audio in %s meet their source', async (container) => {
  const audio = ['-f', 'lavfi', '-i', 'sine=duration=4', '-itsoffset', '1', '-i', await source()];
  const path = await generatedFile(`late-samples.${container}`, [
    ...[...audio, '-map', '0:a', '-map', '1:v', '-c:a', 'aac', '-c:v', 'copy'],
  ]);
  const { path: finishedPath } = await encodeOne(path, 'mp4', { name: 'compress', crf: 18 });
  const samples = await scoresOfSamples({ path, finishedPath }, { wholeSeconds: 1 });
  expect(samples.flat().length).toBeGreaterThan(6);
  // Frames beside each other differ far more than the encoding.
  expect(Math.min(...samples.flat())).toBeGreaterThan(80);
});
