import { type Mp4Track, readMp4Track } from '../../media/mp4/read-track.ts';
import type { ReadAt } from '../../media/read-at.ts';
import { type Packet, parsePacketLine } from './packets.ts';

/**
 * Codecs whose samples ffmpeg passes on as packets. Those of others go through a parser first, which may split them or
 * mark other keyframes.
 */
const unparsedCodecs = ['h264', 'hevc', 'prores', 'dnxhd', 'mjpeg'];

function isUnparsed(codec: string): boolean {
  return unparsedCodecs.includes(codec);
}

export type Mp4Stream = { trackId: number; sizeBytes: number };

/** Finds the stream in the lines that ffprobe prints by `streamArguments`. `finish` returns undefined for other formats. */
export function mp4StreamParser(isIndexed: (codec: string) => boolean = isUnparsed): {
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
