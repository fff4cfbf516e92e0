import { JobError } from '../../errors.ts';
import type { Probe, SubtitleStream } from './probe.ts';
import { streamsOfProgram } from './streams.ts';

/** Codecs that ffmpeg decodes to text. The others (DVB, DVD, Blu-ray) are images, or need a page number. */
const textCodecs = ['subrip', 'webvtt', 'text', 'mov_text', 'ass', 'ssa', 'eia_608'];

/** The subtitle tracks of the main video in order. The number of a track is its index here. */
export function subtitleTracks(probe: Probe): SubtitleStream[] {
  return streamsOfProgram(probe).filter((stream): stream is SubtitleStream => stream.kind === 'subtitle');
}

export function isTextTrack({ codec }: SubtitleStream): boolean {
  return textCodecs.includes(codec);
}

/** Describes the tracks for an error, such as `it has 0 (deu, subrip), 1 (eng, dvd_subtitle)`. */
export function describeSubtitleTracks(probe: Probe): string {
  const tracks = subtitleTracks(probe).map(
    ({ language = 'no language', languageTag = language, codec, isForced }, index) =>
      `${index} (${languageTag}, ${codec}${isForced ? ', forced' : ''})`,
  );
  if (tracks.length > 0) return `it has ${tracks.join(', ')}`;
  // CEA-608 captions are inside the video stream and appear only while decoding.
  return 'it has no subtitle track. Captions inside the video stream (CEA-608) are not read';
}

/**
 * Whether a language is in a range (RFC 4647, section 3.3.1): `pt-BR` is in `pt`, `zh-Hant` not in `zh-Hans`. Files have `deu`
 * or `ger`, people write `de`.
 */
export function isInLanguageRange(language: string, range: string): boolean {
  return `${languageTag(language)}-`.startsWith(`${languageTag(range)}-`);
}

/** The BCP 47 tag in its usual form: `de` for `deu` and for `ger`. */
export function languageTag(code: string): string {
  return new Intl.Locale(code).baseName;
}

/** Converts a file to the end: by default ffmpeg fails if it cannot decode most cues, as in another encoding than UTF-8. */
export const keepReading = ['-max_error_rate', '1'];

/** A text line of an SRT file, which has others of numbers and of times. */
const cueText = / --> .*\n.*\S|^(?!\d+$|.* --> ).*\S/m;

/**
 * Without a text that shows, the filter of libass cannot open a file.
 *
 * @throws JobError `INPUT_UNSUPPORTED` if ffmpeg's log of converting a subtitle file, or the SRT text, shows that it has no readable text
 */
export function rejectUnreadableText(log: string, label: string, srt?: string): void {
  const reject = (reason: string) => new JobError('INPUT_UNSUPPORTED', `${label}: ${reason}`);
  if (log.includes('Invalid UTF-8'))
    throw reject('Expected UTF-8 or UTF-16 text, found another encoding: save the file as UTF-8');
  if (log.includes('nothing was encoded') || (srt !== undefined && !cueText.test(srt)))
    throw reject('The file has no text');
}

const cue = /^(?:(\d+):)?(\d\d):(\d\d)[.,](\d{3}) --> (?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})/;

/** The start and end of a cue, if this line of an SRT or WebVTT file is its timing. */
export function readCueSeconds(line: string): { startSeconds: number; endSeconds: number } | undefined {
  const found = cue.exec(line);
  if (found === null) return undefined;
  const secondsFrom = (group: number) => {
    const [hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = found.slice(group, group + 4).map(Number);
    return (hours || 0) * 3600 + minutes * 60 + seconds + milliseconds / 1000;
  };
  return { startSeconds: secondsFrom(1), endSeconds: secondsFrom(5) };
}

/**
 * Ends cues of an SRT or WebVTT file that end before they start at their start, so that they never show. ffmpeg writes their
 * negative length as an unsigned number, so that they end after more than 1000 hours.
 */
export function hideReversedCues(text: string): string {
  return text.replaceAll(/^(\S+) --> \d{4,}:.*/gm, '$1 --> $1');
}

/** Removes the names of fonts from an SRT file of ffmpeg: without a font of that name, libass shows no text. */
export function removeFontNames(text: string): string {
  return text.replaceAll(/<font face="[^"\n]*">/g, '<font>');
}

/** The end of a cue in seconds, if this line of an SRT or WebVTT file is its timing. */
export function readCueEndSeconds(line: string): number | undefined {
  return readCueSeconds(line)?.endSeconds;
}
