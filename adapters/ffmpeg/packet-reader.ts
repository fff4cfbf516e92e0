import { tmpdir } from 'node:os';
import { audioRangeParser } from '../../core/chunking/frame-index/audio-range.ts';
import { frameIndexBuilder } from '../../core/chunking/frame-index/frame-index-builder.ts';
import { packetArguments } from '../../core/chunking/frame-index/packets.ts';
import type { PacketReader, PacketReadOptions } from '../../core/chunking/ports.ts';
import { JobError } from '../../core/errors.ts';
import { inputGuards } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg/ffmpeg-errors.ts';
import { readLines } from './capture.ts';
import { type CompleteSettings, type FfmpegSettings, withDefaults } from './settings.ts';

/** Reads packets with the installed ffprobe, under the same guards as every client file. */
export function packetReader(options: FfmpegSettings): PacketReader {
  const settings = withDefaults(options);
  return {
    async readFrameIndex(path, { stream, fileSeconds }, options) {
      const builder = frameIndexBuilder(fileSeconds);
      await readPackets(settings, { path, stream: String(stream), onLine: builder.add }, options);
      return builder.finish();
    },
    async readAudioRange(path, options) {
      const parser = audioRangeParser();
      await readPackets(settings, { path, stream: 'a:0', onLine: parser.add }, options);
      return parser.finish();
    },
  };
}

type PacketRequest = {
  path: string;
  /** Stream specifier of ffprobe: `0`, `a:0`. */
  stream: string;
  onLine: (line: string) => void;
};

async function readPackets(
  { ffprobePath, encoderLimits, limits, libraryPath, graceSeconds }: CompleteSettings,
  { path, stream, onLine }: PacketRequest,
  { signal, timeLimitSeconds, role = 'input' }: PacketReadOptions,
): Promise<void> {
  const guards = inputGuards(encoderLimits, { isTrusted: role === 'output' });
  const call = {
    path: ffprobePath,
    arguments: [
      ...['-loglevel', 'level+warning', ...guards, '-select_streams', stream],
      ...[...packetArguments, path],
    ],
    directory: tmpdir(),
    limits,
    libraryPath,
  };
  const finished = await readLines(call, { signal, timeLimitSeconds, graceSeconds }, onLine);
  if (finished.exitCode === 0 && !finished.termination) return;
  const { code, message, retryable } = classifyFailure(finished);
  if (role === 'input') throw new JobError(code, message, { retryable });
  throw new JobError('TRANSCODE_ERROR', `An output file cannot be read: ${message}`, { retryable });
}
