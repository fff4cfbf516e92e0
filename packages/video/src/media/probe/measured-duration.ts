import { durationToleranceSeconds } from '../frame-rate.ts';
import type { FfprobeStream } from './ffprobe-output.ts';
import type { Probe, Stream } from './probe.ts';
import { isBroadcast, isImageContainer, mainVideo, ownAudio } from './streams.ts';

/** When streams end, in seconds of the timeline of their file, by their index; 0 for a stream without packets. */
export type StreamEnds = ReadonlyMap<number, number>;

/** What the timestamps of all packets tell. `restartSeconds`: where they first start again. */
export type PacketTimes = { ends: StreamEnds; restartSeconds?: number };

/**
 * A probe that rejects a file whose timestamps start again: it is several recordings one behind the other, as `cat` and servers
 * that append to a file leave them, and the frames of one would replace those of another.
 */
export function withRestart(probe: Probe, { restartSeconds }: Pick<PacketTimes, 'restartSeconds'>): Probe {
  if (restartSeconds === undefined) return probe;
  const misreading = describeJoined(`its timestamps start again at ${restartSeconds.toFixed(3)} s`);
  return { ...probe, misreading: probe.misreading ?? misreading };
}

/**
 * The error for several files one behind the other.
 *
 * @param reason such as `its timestamps start again at 6.0 s`
 */
export function describeJoined(reason: string, files = 'several files'): string {
  return `The input is ${files} one behind the other: ${reason}, and only the first would be read. Send them as inputs of the recipe concat`;
}

/**
 * Whether the duration must be measured by reading the whole file: it is missing, as in recordings of browsers, or
 * ffprobe estimated it.
 */
export function needsMeasuredDuration(probe: Probe, log: string): boolean {
  const isMedia = probe.streams.some(({ kind }) => kind === 'video' || kind === 'audio');
  if (!isMedia || isImageContainer(probe.container)) return false;
  return probe.durationSeconds === undefined || log.includes('Estimating duration from bitrate');
}

/**
 * Whether the header states when the file ends, but not when one of its streams ends, which another may outlast. Usual in
 * FLV, which may also be several files one behind the other, and in Matroska without the tag DURATION. ffprobe itself finds
 * the ends of a broadcast.
 */
export function lacksStreamEnds(probe: Probe): boolean {
  if (isImageContainer(probe.container) || isBroadcast(probe)) return false;
  const used = [mainVideo(probe), ...ownAudio(probe)].filter((stream) => stream !== undefined);
  const isSeveral = probe.streams.filter(isTimed).length > 1 || probe.container === 'flv';
  return isSeveral && used.some(({ durationSeconds }) => durationSeconds === undefined);
}

/**
 * Audio whose header may state a number of samples that is not that of its frames, as of a podcast with added advertisements, and
 * a WAV with a longer duration than its bytes allow.
 */
export function mayMisstateDuration({ container, sizeBytes, durationSeconds = 0, streams }: Probe): boolean {
  const isLonger = streams.some(({ bitsPerSecond = 0 }) => durationSeconds * bitsPerSecond > 8 * sizeBytes);
  return container === 'mp3' || container === 'flac' || (container === 'wav' && isLonger);
}

/** The probe of a Matroska file whose tags contradict the duration in its header: the last end that they state counts. So does that of AVI. */
export function withTaggedEnds(probe: Probe): Probe {
  const { container, durationSeconds: stated = 0, streams } = probe;
  const ends = streams.filter(isTimed).map((stream) => stream.startSeconds + (stream.durationSeconds ?? Number.NaN));
  const last = Math.max(...ends);
  const isFalse = Math.abs(last - stated) > durationToleranceSeconds(last);
  return container.includes('matroska') && isFalse ? { ...probe, durationSeconds: last } : probe;
}

/** Whether a stream has a time: neither an attached file nor a cover image. */
export function isTimed(stream: Stream): boolean {
  return stream.kind !== 'attachment' && !(stream.kind === 'video' && stream.isAttachedPicture);
}

/** Sets the measured duration and drops those of the streams, which came from the same estimate. */
export function withMeasuredDuration(probe: Probe, durationSeconds: number): Probe {
  const streams = probe.streams.map(({ durationSeconds: _, ...stream }) => stream);
  return { ...probe, durationSeconds, streams };
}

export function withMeasuredEnds(probe: Probe, ends: StreamEnds): Probe {
  const measured = withMeasuredDuration(probe, lastEndSeconds(probe.streams.filter(isMedia), ends));
  return { ...measured, streams: measured.streams.map((stream) => withEnd(stream, ends)) };
}

/**
 * Sets the durations of the streams of a file that states only its own. Where its last stream ends later, or the file is whole,
 * its duration is false, as in recordings whose pauses were counted. Otherwise it is probably truncated: its output is to be
 * compared with the stated duration.
 */
export function withStreamEnds(probe: Probe, ends: StreamEnds, { isWhole = false } = {}): Probe {
  const { durationSeconds: stated = 0, streams } = probe;
  const tolerance = durationToleranceSeconds(stated);
  // The duration of Matroska counts subtitles, and that of FLV no data.
  const found = [streams, streams.filter(isMedia)].map((counted) => lastEndSeconds(counted, ends));
  if (found.some((end) => Math.abs(end - stated) <= tolerance))
    return { ...probe, streams: streams.map((stream) => withEnd(stream, ends)) };
  return isWhole || found.every((end) => end > stated) ? withMeasuredEnds(probe, ends) : probe;
}

function withEnd<Kind extends Stream>(stream: Kind, ends: StreamEnds): Kind {
  const end = ends.get(stream.index);
  if (end === undefined) return stream;
  if (stream.kind === 'audio' && end === 0) return { ...stream, isEmpty: true };
  return { ...stream, durationSeconds: Math.max(0, end - stream.startSeconds) || undefined };
}

export function isMedia(stream: Stream): boolean {
  return isTimed(stream) && (stream.kind === 'video' || stream.kind === 'audio');
}

function lastEndSeconds(streams: readonly Stream[], ends: StreamEnds): number {
  return Math.max(0, ...streams.map(({ index }) => ends.get(index) ?? 0));
}

const minDifferenceSeconds = 0.5;

/**
 * Sets the measured duration of a file whose timestamps may start again, if it differs from the stated one. The two may differ
 * by a packet, since one ends at its start and the other at its end.
 */
export function withDiscontinuities(probe: Probe, ends: StreamEnds): Probe {
  const { durationSeconds = 0 } = probe;
  const lastEnd = lastEndSeconds(probe.streams.filter(isMedia), ends);
  if (Math.abs(lastEnd - durationSeconds) < minDifferenceSeconds) return probe;
  return { ...withMeasuredEnds(probe, ends), hasDiscontinuities: true };
}

/**
 * Whether an audio track may have no packets: the header of a fragmented MP4 does not count them. Nothing tells an empty
 * track of MPEG-TS from an encrypted one, so such an input is rejected.
 */
export function mayBeEmpty(
  { nb_frames: packets }: Pick<FfprobeStream, 'nb_frames'>,
  { container }: Pick<Probe, 'container'>,
): boolean {
  return container.includes('mp4') && !packets;
}

/** Arguments for ffprobe that print a line for the first packet of a stream, and nothing for a stream without packets. */
export function firstPacketArguments({ index }: Pick<Stream, 'index'>): string[] {
  const selected = ['-select_streams', String(index), '-read_intervals', '%+#1'];
  return [...selected, '-show_entries', 'packet=stream_index', '-print_format', 'csv'];
}
