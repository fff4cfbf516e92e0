import type { Probe, Stream, VideoStream } from '../probe/probe.ts';
import { isBroadcast, mainVideo } from '../probe/streams.ts';

// Longer than the keyframe interval of broadcasts and streams, and than most pauses of screen recordings.
const resyncSeconds = 30;

/** More than B-frames put the decoding time of a keyframe ahead of its own. */
const maxReorderSeconds = 1;

/**
 * The seek target, in seconds, from which the frame at `time` can be decoded. MP4 and Matroska have an index of
 * keyframes. In MPEG-TS and others a seek lands between keyframes and shows nothing until the next one, so the target is
 * earlier and the caller drops the frames before `time`. So it is with B-frames in a fragmented MP4, where a seek goes by decoding
 * times and may land on a keyframe that is shown later. Where timestamps start again, reading starts with the file; so it
 * does before the first frame, where a seek in FLV finds no keyframe and lands at the end.
 */
export function seekPoint(probe: Probe, time: number): number {
  if (probe.hasDiscontinuities || seeksByCover(probe)) return 0;
  const video = mainVideo(probe);
  const earlySeconds = probe.isFragmented && video?.reordersFrames ? maxReorderSeconds : 0;
  const target = Math.max(0, time - (hasKeyframeIndex(probe) ? earlySeconds : resyncSeconds));
  return target > (video?.startSeconds ?? 0) ? target : 0;
}

/**
 * The same for the frame that is on screen at `time`, however long it has been shown. ffmpeg seeks in MP4 by decoding
 * times: with B-frames, that of a keyframe after a pause lies before the pause, so the target is earlier.
 */
export function heldFrameSeekPoint(probe: Probe, time: number): number {
  const isByDecodingTime = probe.container.includes('mp4') && mainVideo(probe)?.reordersFrames === true;
  return isByDecodingTime ? Math.max(0, time - resyncSeconds) : seekPoint(probe, time);
}

/** Whether ffmpeg seeks by a cover image, as a track of Matroska in front of the video, behind which it finds nothing. */
export function seeksByCover({ container, streams }: Probe): boolean {
  const video = streams.find((stream) => stream.kind === 'video');
  return container.includes('matroska') && video?.isAttachedPicture === true && video.durationSeconds !== undefined;
}

/**
 * Whether the timestamps of a container are continuous and it has an index of keyframes: MP4 and Matroska. A broadcast
 * may be spliced from sources with different clocks.
 */
export function hasContinuousTimestamps(container: string): boolean {
  return container.includes('mp4') || container.includes('matroska');
}

/** Whether a seek lands on a keyframe. Some writers of MP4 state that all frames are keyframes. */
export function hasKeyframeIndex(probe: Probe): boolean {
  return hasContinuousTimestamps(probe.container) && !mainVideo(probe)?.misstatesKeyframes;
}

/**
 * The moment that ffmpeg maps to 0 when it reads these streams, in seconds after the file's start time: in a broadcast the
 * start of the earliest of them, otherwise that of the file.
 */
export function originSecondsOf(probe: Pick<Probe, 'container'>, streams: readonly Stream[]): number {
  if (streams.length === 0 || !isBroadcast(probe)) return 0;
  return Math.min(...streams.map(({ startSeconds }) => startSeconds));
}

/**
 * Input options with which a command that reads only the video starts at a seek point. Without a seek, they keep the time of
 * the first frame, which ffmpeg would map to 0 in a broadcast.
 */
export function seekVideo(probe: Probe, video: VideoStream, seekSeconds: number): string[] {
  if (seekSeconds > 0) return ['-ss', seekSeconds.toFixed(3)];
  const startSeconds = originSecondsOf(probe, [video]);
  return startSeconds > 0 ? ['-itsoffset', startSeconds.toFixed(6)] : [];
}

/**
 * Input options that make times count from the first video or audio of a file. A position becomes a timestamp of the file: if a stream that
 * the command does not read starts before the others, ffmpeg 7 forgets to add the start of a broadcast to any other position,
 * and shows another time. Without a position, ffmpeg starts a broadcast with the first stream that is read, and any other file
 * with its own start.
 */
export function fromMediaStart(options: readonly string[], probe: Probe): string[] {
  const { startTimestampSeconds: start, mediaStartSeconds = 0 } = probe;
  if (start === undefined) return [...options];
  if (!options.includes('-ss')) {
    if (isBroadcast(probe) || mediaStartSeconds === 0) return [...options];
    return ['-itsoffset', (-mediaStartSeconds).toFixed(6), ...options];
  }
  return options.flatMap((value, index) => {
    if (value === '-ss') return ['-seek_timestamp', '1', value];
    return options[index - 1] === '-ss' ? (Number(value) + start).toFixed(6) : value;
  });
}
