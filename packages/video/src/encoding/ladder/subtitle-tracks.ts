import { JobError, rejectInput } from '../../errors.ts';
import type { SubtitleTrack } from '../../media/playlists/adaptive-set.ts';
import {
  maxSubtitles,
  subtitleFile,
  subtitlePlaylistFile,
  subtitleSegmentsFile,
} from '../../media/playlists/set-files.ts';
import type { SubtitleStream } from '../../media/probe/probe.ts';
import { isTextTrack, keepReading, rejectUnreadableText, subtitleTracks } from '../../media/probe/subtitles.ts';
import { type Cue, segmentCues, writeCues } from '../../media/subtitles/webvtt.ts';
import type { MediaFile, PlanInput, PlannedOutput, PlanTask, StreamOptions, TaskResult } from '../plan.ts';
import { type CueReading, readAsCues } from '../webvtt-cues.ts';
import { hasDash } from './packaging.ts';
import { labelTracks } from './spoken-tracks.ts';

export type SubtitleFile = { url: string; language: string; name?: string | undefined; forced?: boolean | undefined };

export const subtitleAsset = (index: number) => `subtitles.${index}`;

type SubtitleSource = {
  /** Label in error messages. */
  label: string;
  language: string | undefined;
  name?: string | undefined;
  isForced: boolean;
  accessibility?: SubtitleTrack['accessibility'];
  reading: (path: string) => CueReading;
  /** A file without text is an error of the request; a track of the source may be empty. */
  mustHaveText: boolean;
};

export type SubtitlePlan = {
  /** They convert all tracks to WebVTT and read them. */
  tasks: PlanTask[];
  /**
   * The outputs, from the results of the tasks; without results they have no text.
   * @throws JobError `INPUT_UNSUPPORTED` for text that cannot be read
   */
  outputs(results: readonly TaskResult[]): PlannedOutput[];
};

/** The subtitles of an adaptive stream: the text tracks of the source, then the files that the request names. */
export function planSubtitles(
  input: PlanInput<unknown>,
  { files, options, durationSeconds }: Segmentation & { files: readonly SubtitleFile[] },
): SubtitlePlan {
  const sources = [...sourceTracks(input), ...files.map((file, index) => sidecar(input, file, index))];
  if (sources.length > maxSubtitles) {
    const found = `${sources.length} subtitle tracks`;
    throw new JobError('INPUT_UNSUPPORTED', `Expected at most ${maxSubtitles} subtitle tracks, found ${found}`);
  }
  const labels = labelTracks(sources, 'Subtitles');
  const readings = sources.map(({ reading }, index) => reading(`${input.outputDirectory}/text-${index}.vtt`));
  const taskLists = readings.map(({ command, reads }): PlanTask[] => [command, ...reads]);
  return {
    tasks: taskLists.flat(),
    outputs(results) {
      requireFittingText(results);
      return sources.flatMap((source, number) => {
        const ownResults = results.slice(taskLists.slice(0, number).flat().length);
        const [converted] = ownResults;
        if (source.mustHaveText) rejectUnreadableText(converted?.log ?? '', source.label);
        const { name = source.label, language, isFirst: isAutoselect = true } = labels[number] ?? {};
        const { isForced, accessibility } = source;
        const track = { kind: 'subtitles', number, name, language, isAutoselect, isForced, accessibility } as const;
        const cues = readings[number]?.cuesFrom(ownResults) ?? [];
        return trackOutputs({ track, cues, label: source.label, options, durationSeconds });
      });
    },
  };
}

/** Its cues are read in some ten seconds, while this process does nothing else: a worker keeps its lease for forty. */
const maxCharacters = 32_000_000;

/** @throws JobError `INPUT_UNSUPPORTED` for more text in all tracks together */
function requireFittingText(results: readonly TaskResult[]): void {
  const characters = results.reduce((sum, { text = '' }) => sum + text.length, 0);
  if (characters <= maxCharacters) return;
  rejectInput(`The subtitle tracks have ${characters} characters together; the limit is ${maxCharacters}`);
}

type Segmentation = { options: StreamOptions; durationSeconds: number | undefined };

function sourceTracks({ probe, inputPath }: PlanInput<unknown>): SubtitleSource[] {
  return subtitleTracks(probe)
    .filter(isTextTrack)
    .map((track: SubtitleStream) => ({
      label: `The subtitle track ${track.index}`,
      language: track.languageTag ?? track.language,
      name: track.title,
      isForced: track.isForced,
      accessibility: track.isCaptions && !track.isForced ? 'caption' : undefined,
      mustHaveText: false,
      reading: (path) => readAsCues({ path: inputPath, options: keepReading }, track, path),
    }));
}

function sidecar(
  { assets }: PlanInput<unknown>,
  { language, name, forced = false }: SubtitleFile,
  index: number,
): SubtitleSource {
  const label = subtitleAsset(index);
  const { path, probe }: Partial<MediaFile> = assets[label] ?? {};
  const text = probe?.streams.find(({ kind }) => kind === 'subtitle');
  if (path === undefined || probe === undefined || text === undefined) {
    throw new TypeError(`hls needs the file of ${label}`);
  }
  const source = { path, isSubtitles: true, options: [...keepReading, '-f', probe.container] };
  return {
    label,
    language,
    name,
    isForced: forced,
    mustHaveText: true,
    reading: (target) => readAsCues(source, text, target),
  };
}

type TrackContent = Segmentation & { track: NonNullable<PlannedOutput['track']>; cues: readonly Cue[]; label: string };

function trackOutputs({ track, cues, label, options, durationSeconds }: TrackContent): PlannedOutput[] {
  const { number } = track;
  const name = `subtitles-${number + 1}`;
  const { segmentSeconds } = options;
  const endSeconds = durationSeconds ?? Math.max(0, ...cues.map((cue) => cue.endSeconds));
  const { text, segments } = segmented(cues, { label, segmentSeconds, durationSeconds: endSeconds });
  return [
    ...(hasDash(options)
      ? [{ name, filename: subtitleFile(number), format: 'vtt' as const, content: writeCues(cues) }]
      : []),
    {
      name: `${name}-segments`,
      filename: subtitleSegmentsFile(number),
      format: 'vtt',
      content: text,
      track,
      textSegments: segments,
    },
    {
      name: `${name}-playlist`,
      filename: subtitlePlaylistFile(number),
      format: 'm3u8',
      expectation: { referencesFiles: true },
      playlist: { kind: 'subtitles', number, ...options },
    },
  ];
}

function segmented(
  cues: readonly Cue[],
  { label, ...options }: { label: string; segmentSeconds: number; durationSeconds: number },
): ReturnType<typeof segmentCues> {
  try {
    return segmentCues(cues, options);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new JobError('INPUT_UNSUPPORTED', `${label}: ${cause.message}`, { cause });
  }
}
