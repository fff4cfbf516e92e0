import * as z from 'zod';
import { drawSubtitles, subtitleStyle } from '../../../encoding/overlay.ts';
import type { MediaFile, PendingPlan, Plan, PlanInput } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { rejectInput } from '../../../errors.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { type Filter, filter } from '../../../media/filters/filter.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import {
  hideReversedCues,
  keepReading,
  rejectUnreadableText,
  removeFontNames,
} from '../../../media/probe/subtitles.ts';
import { mayHaveDrawings, removeDrawings } from '../../../media/subtitles/ass-text.ts';
import { subtitlesUrl } from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const burnSubtitles = defineRecipe({
  name: 'burn-subtitles',
  title: 'Burn subtitles',
  description:
    'Draws the text of a subtitle file into the video, so that it is always shown. Italics and bold are kept; an ASS file is reduced to its text. The font DejaVu Sans has Latin, Greek, Cyrillic, Hebrew and Arabic script; a file with characters that it lacks is rejected.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters: () => z.strictObject({ subtitles: subtitlesUrl(), ...subtitleStyle }),
  example: {
    output: { format: 'mp4' },
    recipe: { name: 'burn-subtitles', subtitles: 'https://example.com/english.srt', fontSize: 5 },
  },
  assets: ({ subtitles }) => [{ name: 'subtitles', url: subtitles, kind: 'subtitles' }],
});

export function planBurnSubtitles(input: RecipeInput<typeof burnSubtitles>): Plan | PendingPlan {
  const { fontsDirectory, probe } = input;
  const { subtitles: _, ...style } = input.parameters;
  const video = requireVideo(probe);
  const size = evenSize(video);
  const subtitles = { path: rewrittenSubtitles(input), fontsDirectory, style };
  const planWith = (text: string) =>
    encodeVideo(input, { ...defaultEncodingFor(input), transform: { scale: size }, subtitles: { ...subtitles, text } });
  const trialOf = (text: string): PendingPlan => {
    const plan = planWith(text);
    const { outputs, encoding } = plan;
    const draw = drawSubtitles(subtitles, size);
    return {
      measure: [trialCommand(draw, endSecondsOf(probe, [video]) ?? 0)],
      progressAfter: 0.05,
      outputs,
      encoding,
      decide(trialLog) {
        rejectMissingGlyphs(trialLog);
        return plan;
      },
      expected: () => plan,
    };
  };
  const { outputs, encoding } = planWith('');
  return {
    measure: [
      rewriteCommand(input),
      {
        textPath: subtitles.path,
        rewrite: (text) => hideReversedCues(isStyled(input) ? removeDrawings(text) : removeFontNames(text)),
      },
    ],
    progressAfter: 0.01,
    outputs,
    encoding,
    decide(rewriteLog, [, read]) {
      const text = read?.text ?? '';
      rejectUnreadableText(rewriteLog, 'subtitles', text);
      return trialOf(text);
    },
    expected: () => trialOf(''),
  };
}

function rewrittenSubtitles({ outputDirectory }: PlanInput<unknown>): string {
  return `${outputDirectory}/subtitles.srt`;
}

function isStyled({ assets }: PlanInput<unknown>): boolean {
  return assets.subtitles?.probe.streams.some(mayHaveDrawings) ?? false;
}

/** The subtitles filter opens its file without input guards, so it gets a copy that a guarded ffmpeg wrote. */
function rewriteCommand(input: PlanInput<unknown>): Command {
  const { path, probe }: Partial<MediaFile> = input.assets.subtitles ?? {};
  const text = probe?.streams.find(({ kind }) => kind === 'subtitle');
  if (path === undefined || probe === undefined || text === undefined)
    throw new TypeError('burn-subtitles needs its subtitle file');
  // Font sizes of ASS are relative to its own script size, which SRT cannot hold: keep only the text.
  const codec = isStyled(input) ? 'text' : 'srt';
  return {
    inputs: [{ path, isSubtitles: true, options: [...keepReading, '-f', probe.container] }],
    outputArguments: [...['-map', `0:${text.index}`, '-c:s', codec, '-f', 'srt'], rewrittenSubtitles(input)],
  };
}

/** Limit of the trial. A feature film takes a few seconds. */
const maxTrialCpuSeconds = 120;

/** Draws all text on a small canvas: only rendering reports missing glyphs. */
function trialCommand(draw: Filter, durationSeconds: number): Command {
  const options = `size=64x36:rate=2:duration=${durationSeconds.toFixed(3)}`;
  const canvas = filter('color', options, { width: 64, height: 36, fps: 2, seconds: durationSeconds });
  return {
    inputs: [],
    outputArguments: [
      // A hostile file with many overlapping cues would render until the worker's time limit.
      ...['-timelimit', String(maxTrialCpuSeconds)],
      ...['-filter_complex', [{ filters: [canvas, draw], to: ['out'] }], '-map', '[out]', '-f', 'null', '-'],
    ],
    durationSeconds,
  };
}

function rejectMissingGlyphs(log: string): void {
  const missing = [...log.matchAll(/failed to find any fallback with glyph 0x([0-9A-F]+)/g)].map(([, code = '0']) =>
    Number.parseInt(code, 16),
  );
  if (missing.includes(0)) throw new Error('The fonts directory has no fonts');
  const visible = missing.find((code) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(String.fromCodePoint(code)));
  if (visible === undefined) return;
  const name = `U+${visible.toString(16).toUpperCase().padStart(4, '0')}`;
  rejectInput(`subtitles: The font has no character ${String.fromCodePoint(visible)} (${name}), and perhaps others`);
}
