import { tmpdir } from 'node:os';
import { readMp4AudioTiming } from '../chunking/frame-index/frame-index.ts';
import { type FrameIndexBuilder, frameIndexBuilder } from '../chunking/frame-index/frame-index-builder.ts';
import {
  audioRangeParser,
  type Packet,
  type PacketReader,
  type PacketReadOptions,
  packetArguments,
  parsePacketLine,
  streamArguments,
} from '../chunking/frame-index/packets.ts';
import { JobError } from '../errors.ts';
import type { ReadAt } from '../media/boxes.ts';
import { inputGuards } from '../media/ffmpeg/command.ts';
import { classifyFailure } from '../media/ffmpeg/ffmpeg-errors.ts';
import { type Mp4Track, readMp4AudioTrack, readMp4Track } from '../media/mp4/read-track.ts';
import { type CompleteSettings, type FfmpegSettings, readLines, withDefaults } from './run.ts';
import { openFile } from './workspace.ts';

/** Reads packets with the installed ffprobe, under the same guards as every client file. */
export function packetReader(options: FfmpegSettings): PacketReader {
  const settings = withDefaults(options);
  return {
    async readFrameIndex(path, { stream, fileSeconds }, options) {
      const request = { path, stream: String(stream) };
      const builder = frameIndexBuilder(fileSeconds);
      // An output on this disk is read whole: the join trusts no index that it did not write itself.
      const isWhole = options.role === 'output' && options.remote === undefined;
      if (isWhole || !(await addMp4Packets(settings, request, { builder, options }))) {
        await readPackets(settings, { ...request, onLine: builder.add }, options);
      }
      return builder.finish();
    },
    async readAudioTiming(path, { stream }, options) {
      const { mp4 } = await readStream(settings, { path, stream: String(stream) }, options);
      return mp4 && (await withFile(path, options, (readAt) => readMp4AudioTiming(readAt, mp4)));
    },
    async readAudioRange(path, options) {
      const { mp4 } = options.remote ? await readStream(settings, { path, stream: 'a:0' }, options) : {};
      const indexed = mp4 && (await withFile(path, options, (readAt) => readMp4AudioTrack(readAt, mp4)));
      if (indexed) return indexed;
      const parser = audioRangeParser();
      await readPackets(settings, { path, stream: 'a:0', onLine: parser.add }, options);
      return parser.finish();
    },
  };
}

/** Codecs whose samples are packets. A parser of others may split them or mark other keyframes. */
const unparsedCodecs = ['h264', 'hevc', 'prores', 'dnxhd', 'mjpeg'];

type Mp4Stream = { trackId: number; sizeBytes: number };

/** What ffprobe prints of a stream by `streamArguments`, and where an MP4 or MOV has its packets. */
async function readStream(
  settings: CompleteSettings,
  request: Pick<PacketRequest, 'path' | 'stream'>,
  options: PacketReadOptions,
): Promise<{ lines: string[]; codec: string; mp4?: Mp4Stream | undefined }> {
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  await readPackets(settings, { ...request, onLine, printed: streamArguments }, options);
  const found = new Map(lines.flatMap((line) => [...parsePacketLine(line).fields]));
  const isMp4 = found.get('format_name')?.split(',').includes('mp4') === true;
  const mp4 = { trackId: Number(found.get('id')), sizeBytes: Number(found.get('size')) || 0 };
  return { lines, codec: found.get('codec_name') ?? '', mp4: isMp4 ? mp4 : undefined };
}

/** The packets as ffprobe lists them, by the index of an MP4 alone. Undefined if only ffprobe can list them. */
export async function readMp4Packets(readAt: ReadAt, stream: Mp4Stream): Promise<Iterable<Packet> | undefined> {
  const track = await readMp4Track(readAt, stream);
  return track && packetsOf(track);
}

function* packetsOf(track: Mp4Track): Generator<Packet> {
  const { dts, offsets, shiftTicks } = track;
  for (let sample = track.first; sample < track.end; sample += 1) {
    yield {
      pts: (dts[sample] ?? 0) + (offsets?.[sample] ?? 0) + shiftTicks,
      // A last sample without a duration has 0.
      duration: track.durationOf(sample) || undefined,
      sizeBytes: track.sizeOf(sample),
      isKeyframe: track.isKeyframe(sample),
      isDiscarded: !track.isShown(sample),
      isCorrupt: false,
    };
  }
}

/** Adds the packets from the index of an MP4, without reading the file. False if only ffprobe can list them. */
async function addMp4Packets(
  settings: CompleteSettings,
  request: Pick<PacketRequest, 'path' | 'stream'>,
  { builder, options }: { builder: FrameIndexBuilder; options: PacketReadOptions },
): Promise<boolean> {
  const { lines, codec, mp4 } = await readStream(settings, request, options);
  // The samples of an output are the packets that ffmpeg wrote.
  if (mp4 === undefined || !(options.role === 'output' || unparsedCodecs.includes(codec))) return false;
  const packets = await withFile(request.path, options, (readAt) => readMp4Packets(readAt, mp4));
  if (packets === undefined) return false;
  for (const packet of packets) builder.addPacket(packet);
  for (const line of lines) builder.add(line);
  return true;
}

async function withFile<Result>(
  path: string,
  { remote }: PacketReadOptions,
  read: (readAt: ReadAt) => Promise<Result>,
): Promise<Result> {
  if (remote !== undefined) return read(remote.readAt);
  await using file = await openFile(path);
  return await read(file.readAt);
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
  settings: CompleteSettings,
  { path, stream, printed = packetArguments, onLine }: PacketRequest,
  { signal, timeLimitSeconds, role = 'input', remote }: PacketReadOptions,
): Promise<void> {
  const guards = inputGuards(settings.encoderLimits, { isTrusted: role === 'output', isRemote: remote !== undefined });
  const call = {
    path: settings.ffprobePath,
    arguments: ['-loglevel', 'level+warning', ...guards, '-select_streams', stream, ...printed, path],
    directory: tmpdir(),
    remote: remote === undefined ? [] : [path],
  };
  const finished = await readLines(call, { ...settings, signal, timeLimitSeconds }, onLine);
  if (finished.exitCode === 0 && !finished.termination) return;
  const failure = classifyFailure(finished);
  if (role === 'input') throw failure;
  const { message, retryable } = failure;
  throw new JobError('TRANSCODE_ERROR', `An output file cannot be read: ${message}`, { retryable });
}
