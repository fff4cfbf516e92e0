import { join } from 'node:path';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { generateSource } from './generated-source.ts';
import { besideReference, referenceWork } from './machine-slowness.ts';
import { measurePair } from './measure-pair.ts';

/** Measures how many times as long as on the calibrated machine a reference encode takes now. */
export type MeasureSlowness = () => Promise<number>;

/** Prepares the reference encode. `directory` gets its source. */
export async function referenceEncode({
  ffmpeg,
  directory,
}: {
  ffmpeg: string;
  directory: string;
}): Promise<MeasureSlowness> {
  const encoder = ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: findFfmpeg(process.env).ffprobe });
  const path = join(directory, 'reference.mkv');
  await generateSource(ffmpeg, path, referenceWork.source);
  const reference = { ...referenceWork, input: { path, probe: await encoder.probe(path) } };
  return async () => {
    const { expected, measured } = await measurePair(reference, { encoder, ffmpeg, directory });
    return measured / expected;
  };
}

/** What an action returns, and how slow the machine was around it: its speed changes by a fifth within minutes. */
export async function withSlowness<Result>(
  slowness: MeasureSlowness,
  act: () => Promise<Result>,
): Promise<{ result: Result; machine: number }> {
  const measure = besideReference(async () => ({ result: await act() }), slowness);
  const { result, referenceSeconds: machine } = await measure();
  return { result, machine };
}
