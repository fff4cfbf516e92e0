import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { audioRangeParser } from '../../core/chunking/frame-index/audio-range.ts';
import {
  type FrameIndexBuilder,
  frameIndexBuilder,
} from '../../core/chunking/frame-index/frame-index-builder.ts';
import { mp4StreamParser, readMp4Packets } from '../../core/chunking/frame-index/mp4-packets.ts';
import { packetArguments, streamArguments } from '../../core/chunking/frame-index/packets.ts';
import type { PacketReader, PacketReadOptions } from '../../core/chunking/ports.ts';
import { JobError } from '../../core/errors.ts';
import { inputGuards } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg/ffmpeg-errors.ts';
import { readFileAt } from '../filesystem/read-file-at.ts';
import { readLines } from './capture.ts';
import { type CompleteSettings, type FfmpegSettings, withDefaults } from './settings.ts';

/** Reads packets with the installed ffprobe, under the same guards as every client file. */
export function packetReader(options: FfmpegSettings): PacketReader {
  const settings = withDefaults(options);
  return {
    async readFrameIndex(path, { stream, fileSeconds }, options) {
      const request = { path, stream: String(stream) };
      const builder = frameIndexBuilder(fileSeconds);
      // An output is read whole: the join trusts no index.
      if (options.role === 'output' || !(await addMp4Packets(settings, request, { builder, options }))) {
        await readPackets(settings, { ...request, onLine: builder.add }, options);
      }
      return builder.finish();
    },
    async readAudioRange(path, options) {
      const parser = audioRangeParser();
      await readPackets(settings, { path, stream: 'a:0', onLine: parser.add }, options);
      return parser.finish();
    },
  };
}

/** Adds the packets from the index of an MP4, without reading the file. False if only ffprobe can list them. */
async function addMp4Packets(
  settings: CompleteSettings,
  request: Pick<PacketRequest, 'path' | 'stream'>,
  { builder, options }: { builder: FrameIndexBuilder; options: PacketReadOptions },
): Promise<boolean> {
  const parser = mp4StreamParser();
  const lines: string[] = [];
  const onLine = (line: string) => {
    parser.add(line);
    lines.push(line);
  };
  await readPackets(settings, { ...request, onLine, printed: streamArguments }, options);
  const stream = parser.finish();
  if (stream === undefined) return false;
  const { remote } = options;
  await using file = remote === undefined ? await open(request.path) : undefined;
  const readAt = file === undefined ? remote?.readAt : readFileAt(file);
  const packets = readAt && (await readMp4Packets(readAt, stream));
  if (packets === undefined) return false;
  for (const packet of packets) builder.addPacket(packet);
  for (const line of lines) builder.add(line);
  return true;
}

type PacketRequest = {
  path: string;
  /** Stream specifier of ffprobe: `0`, `a:0`. */
  stream: string;
  /** ffprobe arguments that select what it prints. */
  printed?: readonly string[];
  onLine: (line: string) => void;
};

async function readPackets(
  { ffprobePath, encoderLimits, limits, libraryPath, graceSeconds }: CompleteSettings,
  { path, stream, printed = packetArguments, onLine }: PacketRequest,
  { signal, timeLimitSeconds, role = 'input', remote }: PacketReadOptions,
): Promise<void> {
  const guards = inputGuards(encoderLimits, {
    isTrusted: role === 'output',
    isRemote: remote !== undefined,
  });
  const call = {
    path: ffprobePath,
    arguments: ['-loglevel', 'level+warning', ...guards, '-select_streams', stream, ...printed, path],
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
