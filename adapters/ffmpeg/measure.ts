import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import type { CommandInput } from '../../core/media/ffmpeg/command.ts';
import type { MeasuredEnds } from '../../core/media/probe/measured-duration.ts';
import type { Probe, Stream } from '../../core/media/probe/probe.ts';
import { withWebpAnimation } from '../../core/media/probe/read-probe.ts';
import { readWebpAnimation } from '../../core/media/probe/read-webp.ts';
import { mainVideo, ownAudio } from '../../core/media/probe/streams.ts';
import { readCueEndSeconds } from '../../core/media/probe/subtitles.ts';
import type { ReadAt } from '../../core/media/read-at.ts';
import { runCommand } from './run.ts';
import type { CompleteSettings } from './settings.ts';

/** Larger than any real subtitle file. The rest of a larger file is ignored. */
const maxSubtitleBytes = 64 * 1024 * 1024;

/** Time limit of reading a whole remote source. The job's signal may end it earlier. */
const maxRemoteSeconds = 600;

type MeasuredFile = Pick<CommandInput, 'path' | 'isRemote'> & { probe: Probe };

/**
 * When the main video of a file and its audio end, in seconds. Reads all packets without decoding. For files without a
 * duration, such as browser recordings, and files whose duration ffprobe only estimates.
 */
export async function measureEnds(
  settings: CompleteSettings,
  { probe, ...input }: MeasuredFile,
  signal: AbortSignal,
): Promise<MeasuredEnds> {
  const measure = (streams: readonly (Stream | undefined)[]) =>
    measureEnd(settings, { ...input, streams: streams.flatMap((stream) => stream?.index ?? []) }, signal);
  // Of several streams, ffmpeg reports the end of the one that ends first, and none beside a cover image.
  return { video: await measure([mainVideo(probe)]), audio: await measure(ownAudio(probe)) };
}

async function measureEnd(
  settings: CompleteSettings,
  { streams, ...input }: Omit<MeasuredFile, 'probe'> & { streams: readonly number[] },
  signal: AbortSignal,
): Promise<number> {
  if (streams.length === 0) return 0;
  let seconds = 0;
  const maps = streams.flatMap((index) => ['-map', `0:${index}`]);
  const command = { inputs: [input], outputArguments: [...maps, '-c', 'copy', '-f', 'null', '-'] };
  await runCommand(settings, command, {
    directory: tmpdir(),
    signal,
    timeLimitSeconds: input.isRemote ? maxRemoteSeconds : settings.probeSeconds,
    stallSeconds: settings.probeSeconds,
    onReport: (report) => {
      seconds = Math.max(seconds, report.seconds ?? 0);
    },
  });
  return seconds;
}

/** End of the last cue of an SRT or WebVTT file in seconds; undefined for a file without cues. */
export async function measureCues(path: string): Promise<number | undefined> {
  const input = createReadStream(path, { encoding: 'utf8', end: maxSubtitleBytes - 1 });
  let last: number | undefined;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const end = readCueEndSeconds(line);
    if (end !== undefined) last = Math.max(last ?? 0, end);
  }
  return last;
}

/** Adds the frame size and duration of an animated WebP, which ffprobe does not report. */
export async function measureWebp(probe: Probe, readAt: ReadAt): Promise<Probe> {
  const animation = await readWebpAnimation(readAt);
  return animation ? withWebpAnimation(probe, animation) : probe;
}
