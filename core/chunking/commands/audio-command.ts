import { type AudioOptions, audioArguments } from '../../encoding/audio/encode-audio.ts';
import { dropOtherStreams } from '../../encoding/outputs.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import { type TimelineOrigin, timelineOriginOptions } from '../frame-index/timeline-origin.ts';
import { type ChunkSource, chunkFormat, remoteInput } from './chunk-source.ts';

/**
 * Encodes the sound once and whole, with the arguments of the single pass: cut into chunks it would click at every
 * seam. Its file is an MP4, which holds both AAC and Opus, and times before 0.
 */
export function audioCommand(
  input: ChunkSource,
  change: AudioOptions,
  { audio, timelineOrigin, path }: { audio: AudioStream; timelineOrigin: TimelineOrigin; path: string },
): Command {
  const format = chunkFormat(input);
  return {
    inputs: [
      { path: input.inputPath, options: timelineOriginOptions(timelineOrigin), ...remoteInput(input) },
    ],
    outputArguments: [
      ...audioArguments(audio, { ...change, format }),
      ...['-vn', ...dropOtherStreams],
      ...kept(format, audio),
      path,
    ],
    ...(audio.durationSeconds === undefined ? {} : { durationSeconds: audio.durationSeconds }),
  };
}

/** The container of the output, which alone keeps all that it says of what an encoder puts before the sound. */
function kept(format: VideoFormat, { sampleRateHz }: AudioStream): string[] {
  if (format === 'mkv' || format === 'webm') return ['-f', 'matroska'];
  // By default an MP4 tells when a late track begins in whole milliseconds.
  return ['-movie_timescale', String(sampleRateHz || 48_000), '-f', 'mp4'];
}
