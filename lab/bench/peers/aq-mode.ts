import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { geometricMean } from '../harness/figures/figure.ts';
import { losslessClips } from '../harness/peers/clips.ts';
import { ratePoint, ratioAtEqualScore } from '../harness/peers/rate-curve.ts';

/**
 * Compares x264 with `aq-mode=2` with its default, 1: bytes and processor time at equal VMAF NEG, for generated clips and the
 * videos of a directory. Usage: node lab/bench/peers/aq-mode.ts [DIRECTORY]
 */
const crfs = [21, 25, 29, 33];
const [media] = process.argv.slice(2);
const { ffmpeg } = findFfmpeg(process.env);
const directory = await mkdtemp(join(tmpdir(), 'media-jobs-aq-'));
try {
  const files = media === undefined ? [] : (await readdir(media)).map((name) => join(media, name));
  const ratios: number[] = [];
  for (const clip of await losslessClips(ffmpeg, directory, files)) {
    const curves = { 1: await curve(clip, 1), 2: await curve(clip, 2) };
    const bytes = ratioAtEqualScore(curves[2], curves[1]) ?? Number.NaN;
    const seconds = geometricMean(
      curves[2].map((point, index) => point.processorSeconds / (curves[1][index]?.processorSeconds ?? 1)),
    );
    ratios.push(bytes);
    const scores = curves[1].map(({ score }) => score.toFixed(1)).join(' ');
    console.log(`${basename(clip)}: bytes ${bytes.toFixed(3)}, processor ${seconds.toFixed(3)} (VMAF ${scores})`);
  }
  console.log(`geometric mean of ${ratios.length}: ${geometricMean(ratios).toFixed(3)}`);
} finally {
  await rm(directory, { recursive: true });
}

async function curve(clip: string, mode: 1 | 2) {
  const path = join(directory, 'encoded.mp4');
  const points = [];
  for (const crf of crfs) {
    const x264 = ['-c:v', 'libx264', '-preset', 'medium', '-crf', String(crf), '-x264-params', `aq-mode=${mode}`];
    const encode = () => promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', '-y', '-i', clip, ...x264, path]);
    points.push(await ratePoint(ffmpeg, { clip, path, encode }));
  }
  return points;
}
