import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { JobResource } from '@media-jobs/core/api';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { mainVideo } from '@media-jobs/video/probe';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { timedSleep } from '../context/timed-sleep.ts';
import { createProgressView } from '../show/progress-view.ts';
import { destinations } from '../transfer/destinations.ts';
import { type DownloadedFile, downloadFiles } from '../transfer/download-files.ts';

/** Downloads the single output of a job to `<jobId>.mp4` in a directory. */
export async function downloadOutput(job: JobResource, directory: string): Promise<DownloadedFile> {
  const files = await destinations(job, { path: `${job.jobId}.mp4`, workingDirectory: directory });
  const view = createProgressView(process.stderr);
  const { signal } = new AbortController();
  const options = { force: true, signal, sleep: timedSleep, newId: randomUUID, view };
  const [file] = await downloadFiles(files, options).finally(view.end);
  if (file === undefined) throw new Error(`The job is ${job.state} and has no output`);
  return file;
}

/**
 * Probes the downloaded file and compares it with the record of the job.
 * @throws Error with the field that differs
 */
export async function verifyOutput(job: JobResource, path: string): Promise<void> {
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
  for (const [name, recorded, probed] of comparisons) {
    if (recorded !== probed) throw new Error(`The record has ${name} ${recorded}, the file has ${probed}`);
  }
}
