import * as z from 'zod';
import type { MediaFile, PlanInput } from '../../../encoding/plan.ts';
import { drawSubtitles, subtitleStyle } from '../../../encoding/subtitle-style.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { JobError } from '../../../errors.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { assetUrl } from '../../parameters/common-parameters.ts';
import { defineRecipe } from '../../recipe.ts';

export const burnSubtitles = defineRecipe({
  name: 'burn-subtitles',
  title: 'Burn subtitles',
  description:
    'Draws the text of a subtitle file into the picture, for players that show no subtitles. Latin, Greek, Cyrillic, Hebrew and Arabic script, in DejaVu Sans; a file with characters that it does not have is refused. Italics and bold type stay; of an ASS file only the text does.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters: z.strictObject({
    subtitles: assetUrl('The text: SRT, WebVTT or ASS, in UTF-8 or UTF-16, at most 10 MB.'),
    ...subtitleStyle,
  }),
  example: {
    output: { format: 'mp4' },
    recipe: { name: 'burn-subtitles', subtitles: 'https://example.com/english.srt', fontSize: 5 },
  },
  assets: ({ subtitles }) => [{ name: 'subtitles', url: subtitles, kind: 'subtitles' }],
  plan(input) {
    const { parameters, fontsDirectory, probe } = input;
    const video = requireVideo(probe);
    const size = evenSize(video);
    const draw = drawSubtitles({ path: ownCopy(input), fontsDirectory }, parameters, size);
    const encoding = { ...defaultEncodingFor(input), transform: { scale: size }, finalFilters: [draw] };
    const plan = encodeVideo(input, encoding);
    const { outputs } = plan;
    return {
      measure: [rewrite(input)],
      progressAfter: 0.01,
      outputs,
      decide(rewriting) {
        refuseUnreadable(rewriting);
        return {
          measure: [tryLetters(draw, endSecondsOf(probe, [video]) ?? 0)],
          progressAfter: 0.05,
          outputs,
          decide(trial) {
            refuseUnknownLetters(trial);
            return plan;
          },
        };
      },
    };
  },
});

/** Where our own copy of the client's text goes. */
function ownCopy({ outputDirectory }: PlanInput<unknown>): string {
  return `${outputDirectory}/subtitles.srt`;
}

/** The filter that draws text opens its file without our guards: it gets one that the guarded ffmpeg wrote. */
function rewrite(input: PlanInput<unknown>): Command {
  const { path, probe }: Partial<MediaFile> = input.assets.subtitles ?? {};
  const text = probe?.streams.find(({ kind }) => kind === 'subtitle');
  if (path === undefined || text === undefined) throw new TypeError('Subtitles are planned with their file');
  // The sizes of an ASS file are those of its own page, which SRT cannot tell.
  const codec = text.codec === 'ass' ? 'text' : 'srt';
  return {
    inputs: [{ path, isSubtitles: true }],
    outputArguments: [...['-map', `0:${text.index}`, '-c:s', codec, '-f', 'srt'], ownCopy(input)],
  };
}

/** Seconds of a processor; the text of a film takes a few. */
const mostTrialSeconds = 120;

/** Draws the text of the whole video on something small, since only drawing tells which letters there are. */
function tryLetters(draw: string, durationSeconds: number): Command {
  const page = `color=size=64x36:rate=2:duration=${durationSeconds.toFixed(3)}`;
  return {
    inputs: [],
    outputArguments: [
      // Cues without end that are all shown at once would take a worker's whole time.
      ...['-timelimit', String(mostTrialSeconds)],
      ...['-filter_complex', `${page},${draw}[out]`, '-map', '[out]', '-f', 'null', '-'],
    ],
    durationSeconds,
  };
}

function refuseUnreadable(log: string): void {
  if (log.includes('Invalid UTF-8')) refuse('The text is neither UTF-8 nor UTF-16: save it as UTF-8');
  if (log.includes('nothing was encoded')) refuse('There is no text in the file');
}

function refuseUnknownLetters(log: string): void {
  const missing = [...log.matchAll(/failed to find any fallback with glyph 0x([0-9A-F]+)/g)].map(
    ([, code = '0']) => Number.parseInt(code, 16),
  );
  if (missing.includes(0)) throw new Error('There are no fonts where they should be');
  const visible = missing.find((code) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(String.fromCodePoint(code)));
  if (visible === undefined) return;
  const name = `U+${visible.toString(16).toUpperCase().padStart(4, '0')}`;
  refuse(`The font has no character ${String.fromCodePoint(visible)} (${name}), and perhaps others`);
}

function refuse(reason: string): never {
  throw new JobError('INPUT_UNSUPPORTED', `subtitles: ${reason}`);
}
