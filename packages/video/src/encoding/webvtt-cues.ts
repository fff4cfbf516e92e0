import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import type { SubtitleStream } from '../media/probe/probe.ts';
import { readCueSeconds } from '../media/probe/subtitles.ts';
import { mayHaveDrawings, plainCues } from '../media/subtitles/ass-text.ts';
import { type Cue, readCues, readEncodedCues } from '../media/subtitles/webvtt.ts';
import type { PlanTask, TaskResult } from './plan.ts';

/** Tasks that convert a text track to WebVTT, and its cues from their results. */
export type CueReading = {
  command: Command;
  /** They follow the command. */
  reads: PlanTask[];
  /** @param results of the command and of the reads */
  cuesFrom(results: readonly TaskResult[]): Cue[];
};

/** WebVTT settings of the override tag `{\anN}`, by N: a numeric keypad. Below 4 is the default, at the bottom. */
const lines = ['', '', '', ' line:50%', ' line:50%', ' line:50%', ' line:0', ' line:0', ' line:0'];

const alignments = [' align:left', '', ' align:right'];

/** Bounded, so that a hostile line takes no quadratic time. */
const tag = /\{[^{}]{0,200}\\an([1-9])/;

/** Adds positions in override tags of an SRT file, which ffmpeg's WebVTT encoder drops. `cues` have no settings. */
function withPositions(cues: readonly Cue[], srt: string): Cue[] {
  const settings = readSettings(srt);
  return cues.map((cue) => {
    const setting = settings.get(keyOf(cue))?.pop() ?? '';
    return setting === '' ? cue : { ...cue, text: cue.text.replace('\n', `${setting}\n`) };
  });
}

/** The settings of each cue, by its times. Of cues that show at the same time, the last comes first. */
function readSettings(srt: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  let found: string[] = [];
  let isPositioned = false;
  for (const line of srt.split(/\r?\n/)) {
    const seconds = readCueSeconds(line);
    if (seconds !== undefined) {
      found = settings.get(keyOf(seconds)) ?? [];
      settings.set(keyOf(seconds), found);
      found.push('');
      isPositioned = false;
    }
    const position = Number(tag.exec(line)?.[1]);
    if (isPositioned || !position || found.length === 0) continue;
    // The first tag of a cue counts.
    isPositioned = true;
    found[found.length - 1] = `${lines[position - 1]}${alignments[(position - 1) % 3]}`;
  }
  for (const list of settings.values()) list.reverse();
  return settings;
}

function keyOf({ startSeconds, endSeconds }: Pick<Cue, 'startSeconds' | 'endSeconds'>): string {
  return `${startSeconds.toFixed(3)} ${endSeconds.toFixed(3)}`;
}

/** Reads a text track as WebVTT, by way of a file with this path. */
export function readAsCues(
  source: CommandInput,
  { index, codec }: Pick<SubtitleStream, 'index' | 'codec'>,
  path: string,
): CueReading {
  const isWebVtt = codec === 'webvtt';
  const hasPositions = codec === 'subrip';
  const srtPath = `${path}.srt`;
  const track = ['-map', `0:${index}`, '-map_metadata', '-1'];
  const outputArguments = [
    // ffmpeg's encoder would lose the positions of cues and their escapes.
    ...[...track, '-c:s', isWebVtt ? 'copy' : 'webvtt', '-f', 'webvtt', path],
    ...(hasPositions ? [...track, '-c:s', 'copy', '-f', 'srt', srtPath] : []),
  ];
  return {
    command: { inputs: [source], outputArguments },
    reads: [{ textPath: path }, ...(hasPositions ? [{ textPath: srtPath }] : [])],
    cuesFrom([, { text = '' } = {}, { text: srt = '' } = {}]) {
      if (isWebVtt) return readCues(text);
      if (mayHaveDrawings({ codec })) return plainCues(readEncodedCues(text));
      return withPositions(readEncodedCues(text), srt);
    },
  };
}
