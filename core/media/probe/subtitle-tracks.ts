import type { Probe, SubtitleStream } from './probe.ts';

/** The tracks that ffmpeg reads as text; the others (DVB, DVD, Blu-ray) are pictures, or need a page number. */
const textCodecs = ['subrip', 'webvtt', 'text', 'mov_text', 'ass', 'ssa', 'eia_608'];

/** The subtitle tracks of a file, in its order; a track's number is its place here. */
export function subtitleTracks({ streams }: Probe): SubtitleStream[] {
  return streams.filter((stream): stream is SubtitleStream => stream.kind === 'subtitle');
}

/** Whether a track holds words, and not pictures of them. */
export function isTextTrack({ codec }: SubtitleStream): boolean {
  return textCodecs.includes(codec);
}

/** The tracks as a refusal names them, such as `it has 0 (deu, subrip), 1 (eng, dvd_subtitle)`. */
export function describeSubtitleTracks(probe: Probe): string {
  const tracks = subtitleTracks(probe).map(
    ({ language = 'no language', codec, isForced }, index) =>
      `${index} (${language}, ${codec}${isForced ? ', forced' : ''})`,
  );
  if (tracks.length > 0) return `it has ${tracks.join(', ')}`;
  // Whether there are any is only seen by decoding.
  return 'it has none, and captions inside its pictures (CEA-608) are not read';
}
