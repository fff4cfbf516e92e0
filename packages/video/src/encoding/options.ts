import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import { fromMediaStart } from '../media/ffmpeg/seek.ts';
import { alphaDecoder } from '../media/filters/alpha.ts';
import { dropReservedMatrix } from '../media/filters/color-space.ts';
import type { Format } from '../media/formats.ts';
import { trackTags } from '../media/outputs/language-tags.ts';
import type { OutputExpectation } from '../media/outputs/verify-output.ts';
import type { Probe, Stream, VideoStream } from '../media/probe/probe.ts';
import { lateStreamOptions, mainVideo } from '../media/probe/streams.ts';
import { turnOptions } from '../media/probe/turn.ts';
import type { MediaFile, PlanInput, PlannedOutput, PlanTask, RunTask } from './plan.ts';

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

/** Makes the first of chosen audio tracks the default, and no other. Other dispositions stay. */
function defaultTrackArguments(audioTracks: readonly number[] | undefined, tracks: readonly unknown[]): string[] {
  if (audioTracks === undefined) return [];
  return tracks.flatMap((_, index) => [`-disposition:a:${index}`, index === 0 ? '+default' : '-default']);
}

type OutputTarget = Pick<PlanInput<unknown>, 'format' | 'outputDirectory'>;

/** An output, and the path that ffmpeg writes it to. `name` is its key and the stem of its filename. */
export function outputFile(
  { format, outputDirectory }: OutputTarget,
  expectation: OutputExpectation,
  name = 'output',
): { output: PlannedOutput; path: string } {
  const filename = `${name}.${format}`;
  return { output: { name, filename, format, expectation }, path: `${outputDirectory}/${filename}` };
}

/**
 * Runs tasks so that these files are read with what ffmpeg leaves out by default: the transparency of VP8 and VP9, the
 * dynamic range of AC-3 and E-AC-3, streams of MPEG-TS that begin late, exact times after a seek in a broadcast, videos with
 * a reserved color matrix, and the turn that frames state.
 */
export function withInputOptions(run: RunTask, files: readonly MediaFile[]): RunTask {
  const known = new Map(files.map(({ path, probe }) => [path, probe]));
  const withOptions = (input: CommandInput, task: PlanTask): CommandInput => {
    const { path, options = [] } = input;
    const probe = known.get(path);
    if (probe === undefined) return input;
    const all = [...inputOptions(probe, task), ...fromMediaStart(options, probe)];
    return all.length === 0 ? input : { ...input, options: all };
  };
  return (task, share) => run(mapInputs(task, withOptions), share);
}

function inputOptions(probe: Probe, task: PlanTask): string[] {
  const video = mainVideo(probe);
  return [
    ...(video ? turnOptions(video) : []),
    ...(video && !copiesVideo(task) ? videoDecoderOptions(video) : []),
    ...fullDynamicRange(probe),
    ...lateStreamOptions(probe),
  ];
}

function videoDecoderOptions(video: VideoStream): string[] {
  const decoder = alphaDecoder(video);
  const transparency = decoder === undefined ? [] : [`-c:${video.index}`, decoder];
  return [...transparency, ...dropReservedMatrix(video)];
}

/** A command with a video encoder decodes the video, even if it also copies streams to read them. */
function copiesVideo(task: PlanTask): boolean {
  if (!('outputArguments' in task)) return false;
  const { outputArguments } = task;
  const codecs = outputArguments.filter((_, index) => ['-c', '-c:v'].includes(String(outputArguments[index - 1])));
  return codecs.length > 0 && codecs.every((codec) => codec === 'copy');
}

function mapInputs(task: PlanTask, map: (input: CommandInput, task: PlanTask) => CommandInput): PlanTask {
  if ('inputs' in task) {
    return { ...task, inputs: task.inputs.map((input) => map(input, task)) } satisfies Command;
  }
  if (!('encoded' in task)) return task;
  return { ...task, source: { ...task.source, input: map(task.source.input, task) } };
}

const compressedCodecs = ['ac3', 'eac3'];

/**
 * Leaves out the dynamic range compression that AC-3 and E-AC-3 state, which no later step could undo. Without such a
 * track ffmpeg would warn that the option is unused.
 */
export function fullDynamicRange({ streams }: Pick<Probe, 'streams'>): string[] {
  const isCompressed = streams.some(({ codec }) => compressedCodecs.includes(codec));
  return isCompressed ? ['-drc_scale', '0'] : [];
}
