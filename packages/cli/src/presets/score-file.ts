import { filter, summarizeScores } from '@media-jobs/video/ffmpeg';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { mainVideo } from '@media-jobs/video/probe';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import type { CommandContext } from '../context/command-context.ts';

/** VMAF of a file against its source: the mean of its frames, and the 5th percentile. */
export type Score = { vmaf: number; vmafP5: number };

/** A file of a job that has ended. Seconds and dollars are those of the job. */
export type ComparedFile = {
  input: string;
  preset: string;
  output: string;
  path: string;
  sizeBytes: number;
  seconds: number;
  usd: number;
} & Partial<Score>;

const limits = { timeLimitSeconds: 24 * 3600, stallSeconds: 600 };

/** Scores files by the ffmpeg of this machine. Without libvmaf there, it says so once and scores nothing. */
export async function openScorer(
  { environment, printNote, signal }: CommandContext,
  directory: string,
): Promise<{ score(pair: { source: string; encoded: string }): Promise<Score | undefined> }> {
  const { ffmpeg: ffmpegPath, ffprobe: ffprobePath, vmaf: vmafPath } = findFfmpeg(environment);
  const encoder = ffmpegEncoder({ ffmpegPath, ffprobePath, ...(vmafPath && { vmafPath }) });
  if (!(await encoder.canCompare())) {
    printNote('VMAF is not shown: the ffmpeg of this machine has no libvmaf.');
    return { score: async () => undefined };
  }
  return {
    score: async ({ source, encoded }) => {
      const [original, result] = await Promise.all(
        [source, encoded].map((path) => encoder.probe(path).catch(() => undefined)),
      );
      const [video, made] = [original && mainVideo(original), result && mainVideo(result)];
      const durationSeconds = result?.durationSeconds;
      // A still image, a playlist or a clip of the source has no frames to pair.
      const isWhole = Math.abs((original?.durationSeconds ?? 0) - (durationSeconds ?? 0)) < 0.5;
      if (video === undefined || made?.framesPerSecond === undefined || !durationSeconds || !isWhole) return undefined;
      // At the size of the source, and paired by time: versions differ in size and rate.
      const filters = [
        filter('setpts', 'PTS-STARTPTS'),
        filter('fps', String(made.framesPerSecond)),
        filter('scale', `${video.width}:${video.height}:flags=bicubic`),
        filter('format', 'yuv420p'),
        filter('setpts', 'N'),
      ];
      const { frameScores } = await encoder.compare(
        {
          encoded: { input: { path: encoded }, stream: made.index, filters },
          source: { input: { path: source }, stream: video.index, filters },
          model: 'vmaf_v0.6.1',
          frameInterval: 1,
          durationSeconds,
        },
        { ...limits, directory, signal },
      );
      return summarizeScores(frameScores);
    },
  };
}
