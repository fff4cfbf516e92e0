import * as z from 'zod';
import type { Size } from '../media/frame-size.ts';

/** How burnt-in text looks. */
export const subtitleStyle = {
  fontSize: z.number().min(2).max(20).default(6).meta({
    description: "Height of a line of text in percent of the video's shorter side.",
  }),
  position: z.enum(['bottom', 'center', 'top']).default('bottom').meta({
    description: 'Where the text stands, unless a cue of an SRT file says itself where it does.',
  }),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'Six hexadecimal digits behind a #')
    .default('#ffffff')
    .meta({ description: 'Colour of the text: #, then red, green and blue in two hexadecimal digits each.' }),
  background: z.enum(['outline', 'box']).default('outline').meta({
    description: 'What sets the text off: a black line around each letter, or a dark box behind the text.',
  }),
};

type Style = z.output<z.ZodObject<typeof subtitleStyle>>;

/** The family that the directory of fonts has. */
const fontName = 'DejaVu Sans';

/** Height of the page that libass sets text of SRT files on; its margins and sizes are parts of it. */
const pageHeight = 288;

/** The number that a style has for each place, whatever the version of its file. */
const alignments: Record<Style['position'], number> = { bottom: 2, top: 6, center: 10 };

/** The filter that draws the cues of a file of ours into a picture of this size, with the fonts of a directory alone. */
export function drawSubtitles(
  { path, fontsDirectory }: { path: string; fontsDirectory: string },
  { fontSize, position, color, background }: Style,
  { width, height }: Size,
): string {
  const size = ((fontSize / 100) * Math.min(width, height) * pageHeight) / height;
  const style = {
    FontName: fontName,
    FontSize: size.toFixed(2),
    Alignment: alignments[position],
    MarginV: 14,
    MarginL: 19,
    MarginR: 19,
    PrimaryColour: `&H00${color.slice(5)}${color.slice(3, 5)}${color.slice(1, 3)}`,
    ...(background === 'box'
      ? { BorderStyle: 4, BackColour: '&H40000000', Outline: 0, Shadow: (size / 6).toFixed(2) }
      : { BorderStyle: 1, OutlineColour: '&H00000000', Outline: (size / 14).toFixed(2), Shadow: 0 }),
  };
  const force = Object.entries(style).map(([name, value]) => `${name}=${value}`);
  return [
    `subtitles=filename=${escapeFilterValue(path)}`,
    `fontsdir=${escapeFilterValue(fontsDirectory)}`,
    `force_style=${escapeFilterValue(force.join(','))}`,
  ].join(':');
}

/**
 * A text as the value of a filter's option in a filter graph. It is read twice: as an option, which a colon would end,
 * and as part of a graph, which brackets and commas would divide.
 */
export function escapeFilterValue(text: string): string {
  return text.replace(/[\\':]/g, '\\$&').replace(/[\\'[\],;]/g, '\\$&');
}
