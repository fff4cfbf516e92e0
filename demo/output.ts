import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ffmpegEncoder } from '../adapters/ffmpeg/encoder.ts';
import type { JobResource } from '../core/api/job-resource.ts';
import { mainVideo } from '../core/media/streams.ts';
import { findFfmpeg } from '../local/ffmpeg.ts';

/** Downloads a job's single output through its signed URL; returns its size in bytes. */
export async function downloadOutput(job: JobResource, path: string): Promise<number> {
  if (job.output === undefined) throw new Error(`The job ended ${job.state} without an output`);
  const response = await fetch(job.output.signedUrl);
  if (!response.ok || response.body === null) throw new Error(`The signed URL answered ${response.status}`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
  return (await stat(path)).size;
}

/** Measures the downloaded file and compares it with the job's record; throws where the record is not true. */
export async function checkOutput(job: JobResource, path: string): Promise<void> {
  const record = job.output_files?.output;
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  const probe = await ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe }).probe(path);
  const video = mainVideo(probe);
  const { size } = await stat(path);
  const comparisons = [
    ['codec', record?.codec, video?.codec],
    ['width', record?.width, video?.width],
    ['height', record?.height, video?.height],
    ['duration', record?.duration?.toFixed(2), probe.durationSeconds?.toFixed(2)],
    ['size_mbytes', record?.size_mbytes, size / 1_000_000],
  ];
  for (const [name, said, found] of comparisons) {
    if (said !== found) throw new Error(`The record says ${name} ${said}, but the file has ${found}`);
  }
}
