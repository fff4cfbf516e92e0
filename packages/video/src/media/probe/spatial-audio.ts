import { childrenOf, contentOf, only } from '../mp4/find-track.ts';
import type { ReadAt } from '../read-at.ts';
import { readInBlocks } from '../read-in-blocks.ts';
import { readAmbisonics } from './ambisonics.ts';
import type { Ambisonics, Probe } from './probe.ts';

const minChannels = 4;

/** Whether a track may have the box `SA3D`: any audio of four channels or more in MP4 and MOV. */
export function mayHaveAmbisonics({ container, streams }: Probe): boolean {
  return (
    container.includes('mp4') &&
    streams.some((stream) => stream.kind === 'audio' && stream.channels >= minChannels)
  );
}

/** Adds what the boxes `SA3D` of the audio tracks state (Spatial Audio RFC of Google), which ffprobe does not report. */
export async function withSpatialAudio(
  probe: Probe,
  { readAt: readFile, sizeBytes }: { readAt: ReadAt; sizeBytes: number },
): Promise<Probe> {
  const readAt = readInBlocks(readFile);
  const movie = await childrenOf(readAt, only(await childrenOf(readAt, fileOf(sizeBytes)), 'moov'));
  const entries: (DataView | undefined)[] = [];
  for (const track of (movie ?? []).filter(({ type }) => type === 'trak')) {
    const media = await childrenOf(readAt, only(await childrenOf(readAt, track), 'mdia'));
    const handler = await contentOf(readAt, only(media, 'hdlr'));
    if (handler === undefined || handler.byteLength < 12 || handler.getUint32(8) !== soundHandler) continue;
    const table = await childrenOf(readAt, only(await childrenOf(readAt, only(media, 'minf')), 'stbl'));
    entries.push(await contentOf(readAt, only(table, 'stsd')));
  }
  const audio = probe.streams.filter(({ kind }) => kind === 'audio');
  if (entries.length !== audio.length) return probe;
  const streams = probe.streams.map((stream) => {
    if (stream.kind !== 'audio' || stream.ambisonics) return stream;
    const ambisonics = readSpatialAudio(entries[audio.indexOf(stream)], stream.channels);
    return ambisonics ? { ...stream, ambisonics } : stream;
  });
  return { ...probe, streams };
}

const fileOf = (sizeBytes: number) => ({ type: 'file', start: 0, end: sizeBytes });

/** `soun` and `SA3D` in ASCII. */
const [soundHandler, spatialAudio] = [0x736f756e, 0x53413344];

/** Only ambiX: channels in the order of ACN, normalised by SN3D, each at its own place. */
function readSpatialAudio(entries: DataView | undefined, channels: number): Ambisonics | undefined {
  for (let at = 4; entries && at + 16 + 4 * channels <= entries.byteLength; at += 1) {
    if (entries.getUint32(at) !== spatialAudio) continue;
    const box = at + 4;
    const order = entries.getUint32(box + 2);
    const [ordering, normalisation] = [entries.getUint8(box + 6), entries.getUint8(box + 7)];
    const map = Array.from({ length: channels }, (_, channel) => entries.getUint32(box + 12 + 4 * channel));
    const isAmbix = ordering === 0 && normalisation === 0 && map.every((value, channel) => value === channel);
    return isAmbix && entries.getUint32(box + 8) === channels
      ? readAmbisonics(`ambisonic ${order}`, channels)
      : undefined;
  }
  return undefined;
}
