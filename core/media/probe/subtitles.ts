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

/**
 * Whether two ISO 639 codes mean the same language: files carry `deu` or `ger`, and people write `de`.
 * Both are two or three small letters.
 */
export function isSameLanguage(left: string, right: string): boolean {
  return canonical(left) === canonical(right);
}

function canonical(code: string): string {
  return new Intl.Locale(code).language;
}

const cue = /^(?:\d+:)?\d\d:\d\d[.,]\d{3} --> (?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})/;

/** When a cue ends, in seconds, where this line of an SRT or WebVTT file gives the times of one. */
export function readCueEndSeconds(line: string): number | undefined {
  const [, hours = 0, minutes, seconds, milliseconds] = cue.exec(line) ?? [];
  if (minutes === undefined) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1000;
}
