import type { Format } from '../media/formats.ts';
import { trackTags } from '../media/outputs/language-tags.ts';
import type { OutputExpectation } from '../media/outputs/verify-output.ts';
import type { Probe, Stream } from '../media/probe/probe.ts';
import type { PlanInput, PlannedOutput } from './plan.ts';

/** Drops tags and chapters: they may hold a location, a name or control characters that should not be published. */
export const dropMetadata = ['-map_metadata', '-1', '-map_chapters', '-1'];

/** Drops everything except the mapped video and audio. */
export const dropOtherStreams = ['-sn', '-dn', ...dropMetadata];

/** Keeps the chapters of a copied video, and drops all tags but their titles. */
export const keepChapters = ['-map_metadata:g', '-1', '-map_metadata:s', '-1', '-map_chapters', '0'];

/** Writes the time code of the first frame, where the format stores one. */
export function timecodeArguments({ timecode }: Pick<Probe, 'timecode'>, format: Format): string[] {
  return timecode === undefined || format === 'webm' ? [] : ['-metadata:s:v:0', `timecode=${timecode}`];
}

/** ffmpeg writes the languages of QuickTime by these names, and drops any other. */
// biome-ignore format: a table
const quickTimeLanguages: Record<string, string> = {
  deu: 'ger', fre: 'fra', nld: 'dut', swe: 'sve', ell: 'gre', isl: 'ice', zho: 'chi', rum: 'ron',
  cze: 'ces', slo: 'slk', sqi: 'alb', hye: 'arm', kat: 'geo', bod: 'tib', mya: 'bur', msa: 'may', cym: 'wel',
};

type Labelled = Pick<Stream, 'language' | 'languageTag' | 'title'>;

/** The languages of the audio (`a`) or subtitle (`s`) tracks of an output; of a copy, which keeps them, the titles. */
export function languageArguments(
  kind: 'a' | 's',
  tracks: readonly Labelled[],
  format: Format,
  { keepsTitles = false } = {},
): string[] {
  return tracks.flatMap(({ language, languageTag: tag, title }, index) => {
    const name = format === 'mov' ? (quickTimeLanguages[language ?? ''] ?? language) : language;
    const track = { language: name, tag, title: keepsTitles ? title : undefined };
    const tags = Object.entries(trackTags(track, { kind, format }));
    return tags.flatMap(([key, value]) =>
      value === undefined ? [] : [`-metadata:s:${kind}:${index}`, `${key}=${value}`],
    );
  });
}

/** The languages of the audio tracks of an output, and which of them is the default. `audioTracks` are those that were chosen. */
export function audioTrackArguments(
  tracks: readonly Labelled[],
  {
    audioTracks,
    format,
    ...kept
  }: { audioTracks?: readonly number[] | undefined; format: Format; keepsTitles?: boolean },
): string[] {
  return [...languageArguments('a', tracks, format, kept), ...defaultTrackArguments(audioTracks, tracks)];
}

/**
 * Makes the first of chosen audio tracks the default, which players play, and no other. Without it, the tracks keep what
 * the source says of them. Other dispositions, such as that of a commentary, stay.
 */
function defaultTrackArguments(audioTracks: readonly number[] | undefined, tracks: readonly unknown[]): string[] {
  if (audioTracks === undefined) return [];
  return tracks.flatMap((_, index) => [`-disposition:a:${index}`, index === 0 ? '+default' : '-default']);
}

type OutputTarget = Pick<PlanInput<unknown>, 'format' | 'outputDirectory'>;

/** The output of a recipe that makes a single file, and the path that ffmpeg writes it to. */
export function singleOutput(
  target: OutputTarget,
  expectation: OutputExpectation,
): { output: PlannedOutput; path: string } {
  return namedOutput('output', target, expectation);
}

/** One of several outputs. `name` is its key and the stem of its filename. */
export function namedOutput(
  name: string,
  { format, outputDirectory }: OutputTarget,
  expectation: OutputExpectation,
): { output: PlannedOutput; path: string } {
  const filename = `${name}.${format}`;
  return { output: { name, filename, format, expectation }, path: `${outputDirectory}/${filename}` };
}
