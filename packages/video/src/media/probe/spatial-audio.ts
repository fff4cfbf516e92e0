import type { BoxAt } from '../mp4/find-boxes.ts';
import { contentOf, kindOf, mediaOfTracks, only, sampleTableOf } from '../mp4/find-track.ts';
import type { ReadAt } from '../read-at.ts';
import { readAmbisonics } from './ambisonics.ts';
import type { Ambisonics, AudioStream, Probe } from './probe.ts';

const minChannels = 4;

/** More than the descriptions of a track have. */
const maxDescriptionBytes = 64 * 1024;

/** Whether a track may have the box `SA3D`: any audio of four channels or more in MP4 and MOV. */
export function mayHaveAmbisonics({ container, streams }: Probe): boolean {
  return (
    container.includes('mp4') &&
    streams.some((stream) => stream.kind === 'audio' && stream.channels >= minChannels)
  );
}

/**
 * Adds what the boxes `SA3D` of the audio tracks state (Spatial Audio RFC of Google), which ffprobe does not report.
 * @param readAt reads small ranges near each other
 */
export async function withSpatialAudio(
  probe: Probe,
  { readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number },
): Promise<Probe> {
  const descriptions: (BoxAt | undefined)[] = [];
  for (const media of await mediaOfTracks(readAt, sizeBytes)) {
    if ((await kindOf(readAt, media)) !== 'soun') continue;
    descriptions.push(only(await sampleTableOf(readAt, media), 'stsd'));
  }
  const audio = probe.streams.filter(({ kind }) => kind === 'audio');
  if (descriptions.length !== audio.length) return probe;
  const streams = probe.streams.map((stream) =>
    stream.kind === 'audio' ? withDescription(readAt, stream, descriptions[audio.indexOf(stream)]) : stream,
  );
  return { ...probe, streams: await Promise.all(streams) };
}

async function withDescription(
  readAt: ReadAt,
  stream: AudioStream,
  description: BoxAt | undefined,
): Promise<AudioStream> {
  if (stream.channels < minChannels || stream.ambisonics || description === undefined) return stream;
  if (description.end - description.start > maxDescriptionBytes) return stream;
  const entries = await contentOf(readAt, description);
  const ambisonics = entries && readSpatialAudio(entries, stream.channels);
  return ambisonics ? { ...stream, ambisonics } : stream;
}

/** Only ambiX: channels in the order of ACN, normalised by SN3D, each at its own place. */
function readSpatialAudio(entries: DataView, channels: number): Ambisonics | undefined {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  // Behind fields that differ between MP4 and the versions of MOV.
  const box = bytes.indexOf('SA3D') + 4;
  if (box < 4 || box + 12 + 4 * channels > bytes.length) return undefined;
  const order = bytes.readUInt32BE(box + 2);
  const [ordering, normalisation] = [bytes.readUInt8(box + 6), bytes.readUInt8(box + 7)];
  const map = Array.from({ length: channels }, (_, channel) => bytes.readUInt32BE(box + 12 + 4 * channel));
  const isAmbix = ordering === 0 && normalisation === 0 && map.every((value, channel) => value === channel);
  return isAmbix && bytes.readUInt32BE(box + 8) === channels
    ? readAmbisonics(`ambisonic ${order}`, channels)
    : undefined;
}
