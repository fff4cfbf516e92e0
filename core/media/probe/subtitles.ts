import type { Probe, SubtitleStream } from './probe.ts';

/** Codecs that ffmpeg decodes to text. The others (DVB, DVD, Blu-ray) are images, or need a page number. */
const textCodecs = ['subrip', 'webvtt', 'text', 'mov_text', 'ass', 'ssa', 'eia_608'];

/** The subtitle tracks of a file in order. The number of a track is its index here. */
export function subtitleTracks({ streams }: Probe): SubtitleStream[] {
  return streams.filter((stream): stream is SubtitleStream => stream.kind === 'subtitle');
}

export function isTextTrack({ codec }: SubtitleStream): boolean {
  return textCodecs.includes(codec);
}

/** Describes the tracks for an error, such as `it has 0 (deu, subrip), 1 (eng, dvd_subtitle)`. */
export function describeSubtitleTracks(probe: Probe): string {
  const tracks = subtitleTracks(probe).map(
    ({ language = 'no language', codec, isForced }, index) =>
      `${index} (${language}, ${codec}${isForced ? ', forced' : ''})`,
  );
  if (tracks.length > 0) return `it has ${tracks.join(', ')}`;
  // CEA-608 captions are inside the video stream and appear only while decoding.
  return 'it has none. Captions inside the video stream (CEA-608) are not read';
}

/** Whether two ISO 639 codes, in lower case, mean the same language. Files have `deu` or `ger`, people write `de`. */
export function isSameLanguage(left: string, right: string): boolean {
  return canonical(left) === canonical(right);
}

function canonical(code: string): string {
  return new Intl.Locale(code).language;
}

const cue = /^(?:\d+:)?\d\d:\d\d[.,]\d{3} --> (?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})/;

/** The end of a cue in seconds, if this line of an SRT or WebVTT file is its timing. */
export function readCueEndSeconds(line: string): number | undefined {
  const [, hours = 0, minutes, seconds, milliseconds] = cue.exec(line) ?? [];
  if (minutes === undefined) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1000;
}
