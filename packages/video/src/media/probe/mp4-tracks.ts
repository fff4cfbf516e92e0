import { box, boxAt, bytesOf, findBox, integers, readBoxes, viewOf } from '../boxes.ts';
import { readTrackRun, sampleDefaults, tracksOfFragment } from '../fragments/write-fragment.ts';
import { areSameDescriptions } from '../mp4/bit-rates.ts';
import { readEdits } from '../mp4/edit-list.ts';
import { movieTimescaleOf, type Track, tableOf, tracksOf } from '../mp4/find-track.ts';
import { usedDescriptions } from '../mp4/sample-table.ts';
import { isTimed } from './measured-duration.ts';
import type { Mp4File } from './mp4-file.ts';
import type { Ambisonics, Probe, Stream } from './probe.ts';
import { canonicalTag } from './stated-languages.ts';
import { encryptedEntry, endSecondsOf, readAmbisonics } from './streams.ts';

/** What the index of an MP4 or MOV states of its tracks and ffprobe does not print: see `withTrack`. */
export function withMp4Tracks(probe: Probe, { movie }: Mp4File): Probe {
  if (movie === undefined) return probe;
  const tracks = tracksOf(movie);
  const ticksPerSecond = movieTimescaleOf(movie);
  const streams = probe.streams.map((stream) => {
    const track = trackOf(stream, tracks);
    return track ? withEdits(withTrack(stream, track), track, ticksPerSecond) : stream;
  });
  const isShorter = streams.some(({ durationSeconds }, at) => durationSeconds !== probe.streams[at]?.durationSeconds);
  return { ...probe, streams, ...(isShorter && { durationSeconds: endSecondsOf(probe, streams.filter(isTimed)) }) };
}

/**
 * The stream as its edit list shows it. ffprobe counts an empty edit at its start in its duration, unless that is longer than
 * the whole track.
 */
function withEdits<Kind extends Stream>(stream: Kind, { content }: Track, ticksPerSecond = 0): Kind {
  const list = boxAt(content, 'edts', 'elst');
  const edits = list === undefined ? [] : readEdits(list);
  const shown = edits.filter(({ mediaTime }) => mediaTime !== -1);
  const seconds = shown.reduce((sum, { movieTicks }) => sum + movieTicks, 0) / ticksPerSecond;
  // ffmpeg ignores a list with an empty edit elsewhere.
  const empty = edits.length - shown.length;
  const beginsEmpty = empty > 0 && edits.slice(0, empty).every(({ mediaTime }) => mediaTime === -1);
  const isShorter = beginsEmpty && seconds > 0 && seconds < (stream.durationSeconds ?? 0);
  return {
    ...stream,
    ...(isShorter && { durationSeconds: seconds }),
    ...(shown.length > 1 && { splicedBy: 'edits' as const }),
  };
}

/** ffprobe shows cover images as streams, which are no tracks of the file. */
function trackOf(stream: Stream, tracks: readonly Track[]): Track | undefined {
  return isTimed(stream) ? tracks.find(({ id }) => id === stream.id) : undefined;
}

/**
 * Adds the language (`elng`, ISO/IEC 14496-12), the box `SA3D` of audio (Spatial Audio RFC of Google), and whether the samples
 * need several sample descriptions. Of encrypted samples ffprobe reports the codec behind the encryption.
 */
function withTrack<Kind extends Stream>(stream: Kind, track: Track): Kind {
  const entries = tableOf(track, 'stsd');
  const languageTag = languageOf(track);
  const ambisonics =
    stream.kind === 'audio' && !stream.ambisonics ? spatialAudioOf(entries, stream.channels) : undefined;
  const encrypted = entries && readBoxes(entries, 8).find(({ type }) => encryptedEntry.test(type));
  return {
    ...stream,
    ...(encrypted && { codec: encrypted.type }),
    ...(languageTag && { languageTag }),
    ...(entries && changesDescription(entries, track) && { splicedBy: 'descriptions' as const }),
    ...(ambisonics && { ambisonics }),
  };
}

function languageOf({ content }: Track): string | undefined {
  const language = boxAt(content, 'mdia', 'elng');
  if (language === undefined) return undefined;
  // Behind the version and the flags.
  const text = Buffer.from(bytesOf(language).subarray(4, 64)).toString('latin1');
  return canonicalTag(text.replace(/\0.*$/s, ''));
}

/** Whether decoders need other settings for some samples. Fragments choose a description themselves: any may be used. */
function changesDescription(entries: DataView, track: Track): boolean {
  if (entries.byteLength < 8 || entries.getUint32(4) < 2) return false;
  const chunks = tableOf(track, 'stsc');
  const used = chunks ? usedDescriptions(chunks) : new Set();
  const [first, ...others] = readBoxes(entries, 8)
    .filter((_, index) => used.size === 0 || used.has(index + 1))
    .map(({ type, content }) => viewOf(box('stsd', integers(0, 1), box(type, bytesOf(content))).subarray(8)));
  return first !== undefined && others.some((other) => !areSameDescriptions(first, other));
}

const minAmbisonicChannels = 4;

/** Only ambiX: channels in the order of ACN, normalised by SN3D, each at its own place. */
function spatialAudioOf(entries: DataView | undefined, channels: number): Ambisonics | undefined {
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

/** Marks a video with predicted frames of which an MP4 or MOV states that all are keyframes. */
export function withStatedKeyframes(probe: Probe, index: number, file: Mp4File): Probe {
  const streams = probe.streams.map((stream) =>
    stream.kind === 'video' && stream.index === index && statesAllKeyframes(stream, file)
      ? { ...stream, misstatesKeyframes: true as const }
      : stream,
  );
  return { ...probe, streams };
}

function statesAllKeyframes(stream: Stream, { movie, fragment }: Mp4File): boolean {
  const track = movie && trackOf(stream, tracksOf(movie));
  const sizes = track && tableOf(track, 'stsz');
  if (movie === undefined || track === undefined || sizes === undefined) return false;
  try {
    const samples = sizes.getUint32(8);
    if (samples === 0) return fragment !== undefined && fragmentStatesAll(track.id, { movie, fragment });
    // Without the box, all samples are keyframes (ISO/IEC 14496-12, 8.6.2). Some writers list all.
    const list = tableOf(track, 'stss');
    return list === undefined || list.getUint32(4) === samples;
  } catch (cause) {
    // A box ends too early.
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}

/** Of the flags of a sample (8.8.3.1). */
const isNonSync = 0x10000;

/** Whether the second sample of the first fragment is stated to be a keyframe, as those of some live encoders all are. */
function fragmentStatesAll(trackId: number, { movie, fragment }: { movie: DataView; fragment: DataView }): boolean {
  const extension = boxAt(movie, 'mvex');
  const track = tracksOfFragment(fragment).find(({ id }) => id === trackId)?.boxes ?? [];
  const [header, run] = [findBox(track, 'tfhd'), findBox(track, 'trun')];
  if (extension === undefined || header === undefined || run === undefined) return false;
  const ofMovie = readBoxes(extension).find(({ type, content }) => type === 'trex' && content.getUint32(4) === trackId);
  const [, second] = readTrackRun(run, sampleDefaults(header), 2).entries;
  const flags = second && (second.flags ?? ofMovie?.content.getUint32(20));
  return flags !== undefined && (flags & isNonSync) === 0;
}
