import { tmpdir } from 'node:os';
import { pictureIndexer } from '../../core/chunks/index-pictures.ts';
import { packetArguments } from '../../core/chunks/packet.ts';
import type { PacketReader, ReadOptions } from '../../core/chunks/ports.ts';
import { soundMeter } from '../../core/chunks/sound-span.ts';
import { JobError } from '../../core/errors.ts';
import { inputGuards } from '../../core/media/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg-errors.ts';
import { readLines } from './read-lines.ts';
import { type CompleteSettings, complete, type FfmpegSettings } from './settings.ts';

/** Reads packets with the ffprobe of this machine, guarded as every file of a client is. */
export function packetReader(given: FfmpegSettings): PacketReader {
  const settings = complete(given);
  return {
    async pictures(path, { stream, fileSeconds }, options) {
      const indexer = pictureIndexer(fileSeconds);
      await readPackets(settings, { path, stream: String(stream), onLine: indexer.add }, options);
      return indexer.finish();
    },
    async sound(path, options) {
      const meter = soundMeter();
      await readPackets(settings, { path, stream: 'a:0', onLine: meter.add }, options);
      return meter.finish();
    },
  };
}

type Reading = { path: string; stream: string; onLine: (line: string) => void };

async function readPackets(
  { ffprobePath, bounds, limits, libraryPath, graceSeconds }: CompleteSettings,
  { path, stream, onLine }: Reading,
  { signal, timeLimitSeconds, of = 'input' }: ReadOptions,
): Promise<void> {
  const guards = inputGuards(bounds, { isOurs: of === 'output' });
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
  if (ended.exitCode === 0 && !ended.endedBy) return;
  const { code, message, retryable } = classifyFailure(ended);
  if (of === 'input') throw new JobError(code, message, { retryable });
  throw new JobError('TRANSCODE_ERROR', `A finished file cannot be read: ${message}`, { retryable });
}
