import { tmpdir } from 'node:os';
import { audioRangeParser, mp4AudioRange } from '../chunking/frame-index/audio-range.ts';
import { type FrameIndexBuilder, frameIndexBuilder } from '../chunking/frame-index/frame-index-builder.ts';
import type { PacketReader, PacketReadOptions } from '../chunking/frame-index/packet-reader.ts';
import { type Packet, packetArguments, parsePacketLine, streamArguments } from '../chunking/frame-index/packets.ts';
import { readMp4AudioTiming } from '../chunking/frame-index/timeline.ts';
import { JobError } from '../errors.ts';
import type { ReadAt } from '../media/boxes.ts';
import { inputGuards } from '../media/ffmpeg/command.ts';
import { classifyFailure } from '../media/ffmpeg/ffmpeg-errors.ts';
import { type Mp4AudioTrack, type Mp4Track, readMp4AudioTrack, readMp4Track } from '../media/mp4/read-track.ts';
import { readLines } from './capture.ts';
import { openFile } from './open-file.ts';
import { type CompleteSettings, type FfmpegSettings, withDefaults } from './settings.ts';

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
      const found = await findMp4Stream(settings, { path, stream: String(stream) }, options);
      if (found === undefined) return undefined;
      await using reading = await readAtOf(path, options);
      return await readMp4AudioTiming(reading.readAt, found);
    },
    async readAudioRange(path, options) {
      const indexed = options.remote && (await readAudioTrack(settings, path, options));
      if (indexed) return mp4AudioRange(indexed);
      const parser = audioRangeParser();
      await readPackets(settings, { path, stream: 'a:0', onLine: parser.add }, options);
      return parser.finish();
    },
  };
}

/**
 * Codecs whose samples ffmpeg passes on as packets. Those of others go through a parser first, which may split them or
 * mark other keyframes.
 */
const unparsedCodecs = ['h264', 'hevc', 'prores', 'dnxhd', 'mjpeg'];

function isUnparsed(codec: string): boolean {
  return unparsedCodecs.includes(codec);
}

type Mp4Stream = { trackId: number; sizeBytes: number };

/** Finds the stream in the lines that ffprobe prints by `streamArguments`. `finish` returns undefined for other formats. */
function mp4StreamParser(isIndexed: (codec: string) => boolean = isUnparsed): {
  add(line: string): void;
  finish(): Mp4Stream | undefined;
} {
  const found = new Map<string, string>();
  return {
    add(line) {
      for (const [name, value] of parsePacketLine(line).fields) found.set(name, value);
    },
    finish() {
      const isMp4 = found.get('format_name')?.split(',').includes('mp4') === true;
      if (!isMp4 || !isIndexed(found.get('codec_name') ?? '')) return undefined;
      return { trackId: Number(found.get('id')), sizeBytes: Number(found.get('size')) || 0 };
    },
  };
}

/**
 * The packets of a video stream of an MP4 or MOV as ffprobe lists them, from the index of the file alone. Undefined if
 * only ffprobe can list them.
 */
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

/** Undefined for another container. */
async function findMp4Stream(
  settings: CompleteSettings,
  request: Pick<PacketRequest, 'path' | 'stream'>,
  options: PacketReadOptions,
): Promise<Mp4Stream | undefined> {
  const parser = mp4StreamParser(() => true);
  await readPackets(settings, { ...request, onLine: parser.add, printed: streamArguments }, options);
  return parser.finish();
}

/** The first audio track by the index of an MP4. */
async function readAudioTrack(
  settings: CompleteSettings,
  path: string,
  options: PacketReadOptions,
): Promise<Mp4AudioTrack | undefined> {
  const found = await findMp4Stream(settings, { path, stream: 'a:0' }, options);
  if (found === undefined) return undefined;
  await using reading = await readAtOf(path, options);
  return await readMp4AudioTrack(reading.readAt, found);
}

/** Adds the packets from the index of an MP4, without reading the file. False if only ffprobe can list them. */
async function addMp4Packets(
  settings: CompleteSettings,
  request: Pick<PacketRequest, 'path' | 'stream'>,
  { builder, options }: { builder: FrameIndexBuilder; options: PacketReadOptions },
): Promise<boolean> {
  // The samples of an output are the packets that ffmpeg wrote.
  const parser = mp4StreamParser(options.role === 'output' ? () => true : undefined);
  const lines: string[] = [];
  const onLine = (line: string) => {
    parser.add(line);
    lines.push(line);
  };
  await readPackets(settings, { ...request, onLine, printed: streamArguments }, options);
  const stream = parser.finish();
  if (stream === undefined) return false;
  await using reading = await readAtOf(request.path, options);
  const packets = await readMp4Packets(reading.readAt, stream);
  if (packets === undefined) return false;
  for (const packet of packets) builder.addPacket(packet);
  for (const line of lines) builder.add(line);
  return true;
}

async function readAtOf(path: string, { remote }: PacketReadOptions): Promise<AsyncDisposable & { readAt: ReadAt }> {
  if (remote === undefined) return await openFile(path);
  return { readAt: remote.readAt, [Symbol.asyncDispose]: async () => undefined };
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
