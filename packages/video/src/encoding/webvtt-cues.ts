import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import type { SubtitleStream } from '../media/probe/probe.ts';
import { mayHaveDrawings, plainCues } from '../media/subtitles/ass-text.ts';
import { withPositions } from '../media/subtitles/cue-positions.ts';
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
