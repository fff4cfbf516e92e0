import { box, bytesOf, integers, type ReadAt, readBoxes, viewOf } from '../boxes.ts';
import { areSameDescriptions } from '../mp4/bit-rates.ts';
import { contentOf, descriptionOf, kindOf, mediaOfTracks, only, sampleTableOf } from '../mp4/find-track.ts';
import { usedDescriptions } from '../mp4/sample-table.ts';
import { readAmbisonics } from './ambisonics.ts';
import type { Ambisonics, Probe, Stream } from './probe.ts';

const minAmbisonicChannels = 4;

/** More than the descriptions of a track have. */
const maxDescriptionBytes = 64 * 1024;

type Track = { kind: string | undefined; entries: DataView | undefined; isChanging: boolean };

/**
 * Adds what only the sample descriptions (`stsd`) of MP4 and MOV state: the boxes `SA3D` of audio tracks (Spatial Audio RFC of
 * Google), and whether the samples of a track need several.
 * @param file is read in small ranges near each other
 */
export async function withSampleDescriptions(
  probe: Probe,
  file: { readAt: ReadAt; sizeBytes: number },
): Promise<Probe> {
  if (!probe.container.includes('mp4')) return probe;
  const tracks = await readTracks(file);
  const described = new Map<Stream, Track>();
  for (const [kind, handler] of [
    ['video', 'vide'],
    ['audio', 'soun'],
  ] as const) {
    const streams = probe.streams.filter((stream) => stream.kind === kind && !isCover(stream));
    const own = tracks.filter((track) => track.kind === handler);
    if (own.length !== streams.length) continue;
    for (const [index, track] of own.entries()) described.set(streams[index] as Stream, track);
  }
  return { ...probe, streams: probe.streams.map((stream) => withDescription(stream, described.get(stream))) };
}

function isCover(stream: Stream): boolean {
  return stream.kind === 'video' && stream.isAttachedPicture;
}

async function readTracks({ readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number }): Promise<Track[]> {
  const tracks: Track[] = [];
  for (const media of await mediaOfTracks(readAt, sizeBytes)) {
    const place = await descriptionOf(readAt, media);
    const isShort = place && place.end - place.start <= maxDescriptionBytes;
    const entries = isShort ? await contentOf(readAt, place) : undefined;
    const hasSeveral = entries && entries.byteLength > 8 && entries.getUint32(4) > 1;
    const chunks = hasSeveral && (await contentOf(readAt, only(await sampleTableOf(readAt, media), 'stsc')));
    const isChanging = chunks ? areDifferent(entries, usedDescriptions(chunks)) : false;
    tracks.push({ kind: await kindOf(readAt, media), entries, isChanging });
  }
  return tracks;
}

/** Whether decoders need other settings for some samples. Fragments choose a description themselves: any may be used. */
function areDifferent(entries: DataView, used: ReadonlySet<number>): boolean {
  const [first, ...others] = readBoxes(entries, 8)
    .filter((_, index) => used.size === 0 || used.has(index + 1))
    .map(({ type, content }) => viewOf(box('stsd', integers(0, 1), box(type, bytesOf(content))).subarray(8)));
  return first !== undefined && others.some((other) => !areSameDescriptions(first, other));
}

function withDescription<Kind extends Stream>(stream: Kind, track: Track | undefined): Kind {
  if (track === undefined) return stream;
  const ambisonics = stream.kind === 'audio' && !stream.ambisonics ? spatialAudioOf(track, stream.channels) : undefined;
  return {
    ...stream,
    ...(track.isChanging && { changesDescription: true as const }),
    ...(ambisonics && { ambisonics }),
  };
}

/** Only ambiX: channels in the order of ACN, normalised by SN3D, each at its own place. */
function spatialAudioOf({ entries }: Track, channels: number): Ambisonics | undefined {
  if (entries === undefined || channels < minAmbisonicChannels) return undefined;
  const bytes = Buffer.from(bytesOf(entries));
  // Behind fields that differ between MP4 and the versions of MOV.
  const at = bytes.indexOf('SA3D') + 4;
  if (at < 4 || at + 12 + 4 * channels > bytes.length) return undefined;
  const order = bytes.readUInt32BE(at + 2);
  const [ordering, normalisation] = [bytes.readUInt8(at + 6), bytes.readUInt8(at + 7)];
  const map = Array.from({ length: channels }, (_, channel) => bytes.readUInt32BE(at + 12 + 4 * channel));
  const isAmbix = ordering === 0 && normalisation === 0 && map.every((value, channel) => value === channel);
  return isAmbix && bytes.readUInt32BE(at + 8) === channels
    ? readAmbisonics(`ambisonic ${order}`, channels)
    : undefined;
}
