import { stat } from 'node:fs/promises';
import { ffmpegEncoder } from '../adapters/ffmpeg/encoder.ts';
import { timedPause } from '../cli/context/timed-pause.ts';
import { createProgressView } from '../cli/show/view-for.ts';
import { destinations } from '../cli/transfer/destinations.ts';
import { type DownloadedFile, downloadFiles } from '../cli/transfer/download-files.ts';
import type { JobResource } from '../core/api/job-resource.ts';
import { mainVideo } from '../core/media/probe/streams.ts';
import { findFfmpeg } from '../local/find-ffmpeg.ts';

/** Downloads a job's single output into a directory, under the id of the job. */
export async function downloadOutput(job: JobResource, directory: string): Promise<DownloadedFile> {
  const places = await destinations(job, { asked: `${job.jobId}.mp4`, directory });
  const view = createProgressView(process.stderr);
  const { signal } = new AbortController();
  const options = { force: true, signal, pause: timedPause, view };
  const [file] = await downloadFiles(places, options).finally(view.end);
  if (file === undefined) throw new Error(`The job ended ${job.state} without an output`);
  return file;
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
