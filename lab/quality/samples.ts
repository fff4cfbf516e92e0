import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { hasContinuousTimestamps } from '@media-jobs/video/ffmpeg';
import type { Probe } from '@media-jobs/video/probe';
import { mainVideo } from '@media-jobs/video/probe';
import { type GeneratedClip, generatedClipArguments, generateStill } from './generated-clips.ts';

/** A few seconds of a video as uncompressed frames, whose decoder takes no time. */
export type Sample = { name: string; path: string; probe: Probe };

export type SampleTools = { encoder: Encoder; ffmpegPath: string; directory: string; seconds: number };

/** 720p: larger frames look alike in a score, and take the time of the command. */
const generatedSize = { width: 1280, height: 720 };

/** Samples of the generated clips. */
export async function generatedSamples(tools: SampleTools, clips: readonly GeneratedClip[]): Promise<Sample[]> {
  const still = await generateStill(tools.directory);
  const samples: Sample[] = [];
  for (const clip of clips) {
    const args = generatedClipArguments(clip, { still, seconds: tools.seconds, size: generatedSize });
    samples.push(await writeSample(tools, clip, args));
  }
  return samples;
}

/** Samples of the middle of each video in a directory. Files without SDR video are passed to `onSkip`. */
export async function realSamples(
  tools: SampleTools,
  media: string,
  onSkip: (file: string) => void,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const file of (await readdir(media)).sort()) {
    const path = join(media, file);
    const probe = await tools.encoder.probe(path).catch(() => undefined);
    const video = probe && mainVideo(probe);
    if (video?.framesPerSecond === undefined || video.hdrTransfer || video.isInterlaced) {
      onSkip(file);
      continue;
    }
    const start = Math.max(0, ((probe?.durationSeconds ?? 0) - tools.seconds) / 2);
    // A seek in a broadcast may land between keyframes and show nothing.
    const [seek, cut] = hasContinuousTimestamps(probe?.container ?? '') ? [start, 0] : [0, start];
    const filters = `setpts=PTS-STARTPTS,fps=${video.framesPerSecond},trim=start=${cut}:duration=${tools.seconds},setpts=PTS-STARTPTS`;
    const args = ['-ss', String(seek), '-i', path, '-map', `0:${video.index}`, '-vf', filters];
    samples.push(await writeSample(tools, file, args));
  }
  return samples;
}

async function writeSample(
  { encoder, ffmpegPath, directory }: SampleTools,
  name: string,
  args: readonly string[],
): Promise<Sample> {
  const path = join(directory, `${name}.avi`);
  const raw = ['-an', '-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', '-f', 'avi', path];
  await promisify(execFile)(ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args, ...raw]);
  return { name, path, probe: await encoder.probe(path) };
}
