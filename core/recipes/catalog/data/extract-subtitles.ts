import * as z from 'zod';
import { dropMetadata, singleOutput } from '../../../encoding/outputs.ts';
import { JobError } from '../../../errors.ts';
import { containerArguments } from '../../../media/formats.ts';
import type { Probe, SubtitleStream } from '../../../media/probe/probe.ts';
import {
  describeSubtitleTracks,
  isSameLanguage,
  isTextTrack,
  subtitleTracks,
} from '../../../media/probe/subtitles.ts';
import { defineRecipe } from '../../recipe.ts';

const parameters = z.strictObject({
  track: z.int().min(0).max(63).optional().meta({
    description:
      'Which subtitle track, counted from 0 among those of the input, or among those of the language where one is given. Where left out, the default one, else the first that is text.',
  }),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, 'Two or three small letters of ISO 639, such as de, deu or ger')
    .optional()
    .meta({ description: 'Language of the track: two or three letters of ISO 639, such as de, deu or ger.' }),
});

type Wish = z.output<typeof parameters>;

export const extractSubtitles = defineRecipe({
  name: 'extract-subtitles',
  title: 'Extract subtitles',
  description:
    'A subtitle track of a video as a file. Tracks of text alone; where they are styled (ASS, MP4) an srt is plain text, and a vtt keeps bold, italic and underline.',
  formats: ['srt', 'vtt'],
  comparison: 'none',
  parameters,
  example: { output: { format: 'vtt' }, recipe: { name: 'extract-subtitles', language: 'en' } },
  plan(input) {
    const { probe, format, inputPath, parameters: wish } = input;
    const track = chooseTrack(probe, wish);
    const codec = format === 'vtt' ? 'webvtt' : 'subrip';
    const { durationSeconds } = probe;
    const latest = durationSeconds === undefined ? {} : { latestEndSeconds: durationSeconds };
    const { output, path } = singleOutput(input, { subtitles: { codec, ...latest } });
    const outputArguments = [
      ...['-map', `0:${track.index}`, '-c:s', encoderFor(track, codec)],
      ...[...dropMetadata, ...containerArguments(format), path],
    ];
    return {
      commands: [{ inputs: [{ path: inputPath }], outputArguments, durationSeconds }],
      outputs: [output],
    };
  },
});

function chooseTrack(probe: Probe, { track, language }: Wish): SubtitleStream {
  const inLanguage = language === undefined ? '' : ` in ${language}`;
  const candidates = subtitleTracks(probe).filter(
    (each) => language === undefined || (each.language && isSameLanguage(each.language, language)),
  );
  if (track !== undefined) {
    const asked = candidates[track];
    if (!asked) refuse(`The input has no subtitle track ${track}${inLanguage}`, probe);
    if (!isTextTrack(asked)) refuse(`Subtitle track ${track}${inLanguage} of the input is not text`, probe);
    return asked;
  }
  const readable = candidates.filter(isTextTrack);
  const chosen = readable.find(({ isDefault }) => isDefault) ?? readable[0];
  return chosen ?? refuse(`The input has no subtitle track${inLanguage} that is text`, probe);
}

/** As it stands where that can be; for SRT, ffmpeg would wrap each styled cue in the name and size of its font. */
function encoderFor({ codec }: SubtitleStream, written: 'subrip' | 'webvtt'): string {
  if (codec === written) return 'copy';
  const isStyled = ['ass', 'ssa', 'mov_text', 'eia_608'].includes(codec);
  return written === 'subrip' && isStyled ? 'text' : written;
}

function refuse(what: string, probe: Probe): never {
  throw new JobError('INPUT_UNSUPPORTED', `${what}; ${describeSubtitleTracks(probe)}`);
}
