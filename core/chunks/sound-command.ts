import type { Command } from '../media/command.ts';
import type { VideoFormat } from '../media/formats.ts';
import type { AudioStream } from '../media/probe.ts';
import { onlyThese } from '../recipes/outputs.ts';
import { type SoundChange, soundArguments } from '../recipes/sound.ts';
import { type Beginning, countingFrom } from './beginning.ts';
import { type ChunkSource, cameFrom, containerOf } from './chunk-source.ts';

/**
 * Encodes the sound once and whole, with the arguments of the single pass: cut into chunks it would click at every
 * seam. Its file is an MP4, which holds both AAC and Opus, and times before 0.
 */
export function soundCommand(
  input: ChunkSource,
  change: SoundChange,
  { audio, beginning, path }: { audio: AudioStream; beginning: Beginning; path: string },
): Command {
  const format = containerOf(input);
  return {
    inputs: [{ path: input.inputPath, options: countingFrom(beginning), ...cameFrom(input) }],
    outputArguments: [
      ...soundArguments(audio, { ...change, format }),
      ...['-vn', ...onlyThese],
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
