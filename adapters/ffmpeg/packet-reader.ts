import { tmpdir } from 'node:os';
import { audioRangeParser } from '../../core/chunking/frame-index/audio-range.ts';
import { frameIndexBuilder } from '../../core/chunking/frame-index/frame-index-builder.ts';
import { packetArguments } from '../../core/chunking/frame-index/packets.ts';
import type { PacketReader, PacketReadOptions } from '../../core/chunking/ports.ts';
import { JobError } from '../../core/errors.ts';
import { inputGuards } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg/ffmpeg-errors.ts';
import { readLines } from './read-lines.ts';
import { type CompleteSettings, type FfmpegSettings, withDefaults } from './settings.ts';

/** Reads packets with the ffprobe of this machine, guarded as every file of a client is. */
export function packetReader(given: FfmpegSettings): PacketReader {
  const settings = withDefaults(given);
  return {
    async readFrameIndex(path, { stream, fileSeconds }, options) {
      const indexer = frameIndexBuilder(fileSeconds);
      await readPackets(settings, { path, stream: String(stream), onLine: indexer.add }, options);
      return indexer.finish();
    },
    async readAudioRange(path, options) {
      const meter = audioRangeParser();
      await readPackets(settings, { path, stream: 'a:0', onLine: meter.add }, options);
      return meter.finish();
    },
  };
}

type Reading = { path: string; stream: string; onLine: (line: string) => void };

async function readPackets(
  { ffprobePath, bounds, limits, libraryPath, graceSeconds }: CompleteSettings,
  { path, stream, onLine }: Reading,
  { signal, timeLimitSeconds, role = 'input' }: PacketReadOptions,
): Promise<void> {
  const guards = inputGuards(bounds, { isTrusted: role === 'output' });
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
  const ended = await readLines(call, { signal, timeLimitSeconds, graceSeconds }, onLine);
  if (ended.exitCode === 0 && !ended.termination) return;
  const { code, message, retryable } = classifyFailure(ended);
  if (role === 'input') throw new JobError(code, message, { retryable });
  throw new JobError('TRANSCODE_ERROR', `A finished file cannot be read: ${message}`, { retryable });
}
