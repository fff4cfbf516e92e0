import * as z from 'zod';
import { dropMetadata, outputFile } from '../../../encoding/options.ts';
import type { PendingPlan, Plan, PlannedOutput, PlanTask, TaskResult } from '../../../encoding/plan.ts';
import { readAsCues } from '../../../encoding/webvtt-cues.ts';
import { rejectInput } from '../../../errors.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { containerArguments } from '../../../media/formats.ts';
import type { Probe, SubtitleStream } from '../../../media/probe/probe.ts';
import { endSecondsOf } from '../../../media/probe/streams.ts';
import {
  describeSubtitleTracks,
  isInLanguageRange,
  isTextTrack,
  subtitleTracks,
} from '../../../media/probe/subtitles.ts';
import { hasAssEscapes, plainSrt } from '../../../media/subtitles/ass-text.ts';
import { writeCues } from '../../../media/subtitles/webvtt.ts';
import { integer } from '../../../values.ts';
import { languageMessage, languagePattern } from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const parameters = () =>
  z.strictObject({
    track: integer(0, 63).optional().meta({
      description:
        'Index of the subtitle track, from 0, among all tracks of the input or among those of `language`. Default: the default track if it is text, else the first text track.',
    }),
    language: z.string().regex(languagePattern, languageMessage).optional().meta({
      description:
        'Code of the language of the track, such as en, eng, pt-BR or zh-Hant. Without a region or script: of any.',
    }),
  });

export const extractSubtitles = defineRecipe({
  name: 'extract-subtitles',
  title: 'Extract subtitles',
  description:
    'Writes a subtitle track of a video to a file. The track must be text, not images. Of a styled track (ASS, MP4), vtt keeps bold, italic and underline, and srt the plain text. vtt also keeps the positions of an SRT track.',
  formats: ['srt', 'vtt'],
  comparison: 'none',
  parameters,
  example: { output: { format: 'vtt' }, recipe: { name: 'extract-subtitles', language: 'en' } },
});

export function planExtractSubtitles(input: RecipeInput<typeof extractSubtitles>): Plan | PendingPlan {
  const { probe, format, inputPath, parameters: choice } = input;
  const track = chooseTrack(probe, choice);
  const codec = format === 'vtt' ? 'webvtt' : 'subrip';
  const endSeconds = latestEnd(probe, track);
  const { output, path } = outputFile(input, { subtitles: { codec, latestEndSeconds: endSeconds } });
  const source = { path: inputPath };
  const isEncodedWebVtt = codec === 'webvtt' && track.codec !== codec;
  if (!isEncodedWebVtt) {
    const outputArguments = [
      ...['-map', `0:${track.index}`, '-c:s', encoderFor(track, codec)],
      ...[...dropMetadata, ...containerArguments(format), path],
    ];
    const command = { inputs: [source], outputArguments, durationSeconds: endSeconds };
    if (track.codec === codec || !hasAssEscapes(track)) return { commands: [command], outputs: [output] };
    const text = ([, read]: readonly TaskResult[]) => plainSrt(read?.text ?? '');
    return rewritten(output, [command, { textPath: path }], text);
  }
  const { command: conversion, reads, cuesFrom } = readAsCues(source, track, path);
  const command = { ...conversion, durationSeconds: endSeconds };
  return rewritten(output, [command, ...reads], (results) => writeCues(cuesFrom(results)));
}

function rewritten(
  output: PlannedOutput,
  [command, ...reads]: [Command, ...PlanTask[]],
  textFrom: (results: readonly TaskResult[]) => string,
): PendingPlan {
  return {
    measure: [command, ...reads],
    progressAfter: 1,
    outputs: [output],
    decide: (_, results) => ({ commands: [], outputs: [{ ...output, content: textFrom(results) }] }),
    expected: () => ({ commands: [command], outputs: [output] }),
  };
}

/** The end of the last cue at most: MP4 states a duration of its own for the track, which may outlast the video. */
function latestEnd(probe: Probe, track: SubtitleStream): number | undefined {
  const { durationSeconds } = probe;
  return durationSeconds && Math.max(durationSeconds, endSecondsOf(probe, [track]) ?? 0);
}

function chooseTrack(probe: Probe, { track, language }: z.output<ReturnType<typeof parameters>>): SubtitleStream {
  const inLanguage = language === undefined ? '' : ` in ${language}`;
  const candidates = subtitleTracks(probe).filter((each) => language === undefined || isInRange(each, language));
  if (track !== undefined) {
    const requested = candidates[track];
    if (!requested) reject(`The input has no subtitle track ${track}${inLanguage}`, probe);
    if (!isTextTrack(requested)) reject(`Subtitle track ${track}${inLanguage} of the input is not text`, probe);
    return requested;
  }
  const textTracks = candidates.filter(isTextTrack);
  const chosen = textTracks.find(({ isDefault }) => isDefault) ?? textTracks[0];
  return chosen ?? reject(`The input has no text subtitles${inLanguage}`, probe);
}

function isInRange({ language = 'und', languageTag = language }: SubtitleStream, range: string): boolean {
  return isInLanguageRange(languageTag, range);
}

/** Copies a track that already has the codec. For SRT, ffmpeg would wrap each styled cue in font tags: use plain text. */
function encoderFor({ codec }: SubtitleStream, outputCodec: 'subrip' | 'webvtt'): string {
  if (codec === outputCodec) return 'copy';
  const isStyled = ['ass', 'ssa', 'mov_text', 'eia_608'].includes(codec);
  return outputCodec === 'subrip' && isStyled ? 'text' : outputCodec;
}

function reject(problem: string, probe: Probe): never {
  rejectInput(`${problem}; ${describeSubtitleTracks(probe)}`);
}
