import type { FfprobeStream } from './ffprobe-output.ts';
import type { Stream, VideoStream } from './probe.ts';
import { positive } from './stated-duration.ts';

/** Containers whose rate is that of all packets. In others, a parser may take it from the first one. */
const measuredRates = ['mov,mp4,m4a,3gp,3g2,mj2', 'flac', 'wav', 'mp3'];

/** Codecs with one rate, which each packet states. */
const constantRates = ['ac3', 'eac3', 'dts', 'mp2', 'mp3'];

/** What containers state of any stream. mkvmerge writes statistics as tags. */
export function statedProperties(
  { tags, bit_rate: rate, nb_frames: packets, profile, codec_name: codec = '' }: FfprobeStream,
  container: string,
): Pick<Stream, 'bitsPerSecond' | 'packets' | 'profile'> {
  const isRateTrue = measuredRates.includes(container) || constantRates.includes(codec) || codec.startsWith('pcm_');
  return {
    bitsPerSecond: positive(tags?.BPS ?? tags?.['BPS-eng'] ?? (isRateTrue ? rate : undefined)),
    packets: positive(packets ?? tags?.NUMBER_OF_FRAMES ?? tags?.['NUMBER_OF_FRAMES-eng']),
    profile: declared(profile),
  };
}

/** ffprobe's name; undefined if the file declares none. */
export function declared(name: string | undefined): string | undefined {
  return name === 'unknown' ? undefined : name || undefined;
}

export function colorRangeOf({ color_range: range }: FfprobeStream): VideoStream['colorRange'] {
  if (range === 'pc') return 'full';
  return range === 'tv' ? 'limited' : undefined;
}

/**
 * The level of a stream as its standard writes it, such as `4.1`, from the number that ffprobe prints. Undefined for other
 * codecs, and for a level that is not stated.
 *
 * @param level H.264: ten times the level (ISO/IEC 14496-10, annex A.3), 9 for 1b. H.265: thirty times (ISO/IEC 23008-2,
 * annex A.4). AV1: `seq_level_idx` (annex A.3). VP9: ten times.
 */
export function levelOf(codec: string, level = 0): string | undefined {
  if (level <= 0 && !(codec === 'av1' && level === 0)) return undefined;
  if (codec === 'av1') return level > 23 ? undefined : `${2 + (level >> 2)}.${level & 3}`;
  if (codec === 'hevc') return (level / 30).toFixed(1);
  if (codec === 'h264') return level === 9 ? '1b' : (level / 10).toFixed(1);
  return codec === 'vp9' ? (level / 10).toFixed(1) : undefined;
}

/** The indexes of the streams of each program. */
export type Programs = readonly (readonly number[])[];

/** The positions of the programs with a stream. Undefined unless a file has several programs. */
export function programsOf({ index }: FfprobeStream, programs: Programs): number[] | undefined {
  const own = [...programs.keys()].filter((position) => programs[position]?.includes(index));
  return programs.length > 1 && own.length > 0 ? own : undefined;
}
