import { addDamage, type Damage } from '../../media/damage.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import type { Decoding } from '../../media/ffmpeg/ffmpeg-output.ts';
import { dropReservedMatrix } from '../../media/filters/color-space.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

/** So many seconds of a file are decoded behind a seam, from the keyframe before it on. */
const checkedSeconds = 1;

/** Bounds the work at a seam whose keyframe is minutes before it. */
const maxFrames = 500;

/** ffmpeg reads so many packets more than it decodes. */
const maxUnreadPackets = 16;

/** The first frames of MP3 need data of those before the cut. */
const minShare = 0.1;

/** A seek to the exact time of a keyframe may find the one before. */
const seekSeconds = 0.01;

/** Where a file is to decode: seconds, or its last second. */
export type Seam = number | 'end';

/** The seams of a whole copy: other places decode if these do, unless the source itself is damaged there. */
export function seamsOfCopy(durationSeconds: number | undefined): Seam[] {
  const isLong = durationSeconds !== undefined && durationSeconds > 4 * checkedSeconds;
  return [0, ...(isLong ? [durationSeconds / 2] : []), 'end'];
}

/** Decodes a file at its seams and writes nothing. Streams that are missing, such as `v:0`, are left out. */
export function decodeSeams(
  path: string,
  seams: readonly Seam[],
  { streams, options = [], isTrusted = false }: { streams: readonly string[]; options?: string[]; isTrusted?: boolean },
): Command {
  return {
    inputs: seams.map((seam) => ({ path, options: [...options, '-noaccurate_seek', ...rangeFrom(seam)], isTrusted })),
    outputArguments: [
      ...seams.flatMap((_, input) => streams.flatMap((stream) => ['-map', `${input}:${stream}?`])),
      ...['-frames:v', String(maxFrames), '-f', 'null', '-'],
    ],
    durationSeconds: checkedSeconds,
  };
}

function rangeFrom(seam: Seam): string[] {
  if (seam === 'end') return ['-sseof', `-${checkedSeconds}`];
  return [...(seam > 0 ? ['-ss', (seam + seekSeconds).toFixed(6)] : []), '-t', String(checkedSeconds)];
}

/** Decodes a copy whose first stream is this video. */
export function decodeCopy(
  path: string,
  seams: readonly Seam[],
  { video, streams }: { video: VideoStream; streams: readonly string[] },
): Command {
  return decodeSeams(path, seams, { streams, options: dropReservedMatrix({ ...video, index: 0 }), isTrusted: true });
}

/** The share of frames, 0 to 1, that does not decode at the worst seam. */
export function undecodedShare({ streams }: Pick<Decoding, 'streams'> = { streams: [] }): number {
  return streams.length === 0 ? 1 : Math.max(...streams.map(shareOf));
}

function shareOf({ kind, packets, damaged, frames = packets }: Decoding['streams'][number]): number {
  if (packets === 0) return 0;
  // Decoders leave out frames without an error before they find a keyframe. Two packets may be one frame, of two fields.
  const leavesOut = kind === 'video' && frames < Math.max(1, (packets - maxUnreadPackets) / 2);
  const share = leavesOut ? 1 : damaged / Math.max(1, frames, damaged);
  return share < minShare ? 0 : share;
}

/** What a copy has of a damaged source, by its seams. */
export function damageAtSeams({ streams }: Decoding): Damage[] {
  const seams = streams.map(({ kind, packets, damaged }) => ({ kind, frames: packets, lost: damaged }));
  return addDamage(seams).map((damage) => ({ ...damage, isSample: true }));
}
