import type { SubtitleStream } from '../probe/probe.ts';
import type { Cue } from './webvtt.ts';

/** Whether a track may have drawings beside its text. */
export function mayHaveDrawings({ codec }: Pick<SubtitleStream, 'codec'>): boolean {
  return codec === 'ass' || codec === 'ssa';
}

/**
 * Commands of an ASS drawing: it begins with a move, and a line or a curve follows. Bounded, so that a hostile file takes no
 * quadratic time and little memory.
 */
const drawing =
  /(?<![^\s>])[mn](?: {1,4}-?[\d.]{1,20}){2} {1,4}[lbsmn](?: {1,4}-?[\d.]{1,20}){2}(?: {1,4}(?:[mnlbspc](?![^\s<])|-?[\d.]{1,20})){0,100000} {0,4}/g;

/** Removes the drawings of an ASS track from its conversion: ffmpeg writes their commands as text. */
export function removeDrawings(text: string): string {
  return text.replaceAll(drawing, '');
}

/** Whether ffmpeg writes text of this codec as ASS has it, with escapes. */
export function hasAssEscapes({ codec }: Pick<SubtitleStream, 'codec'>): boolean {
  return mayHaveDrawings({ codec }) || codec === 'webvtt';
}

/** The characters that a player shows: without drawings, comments in braces, and escapes. */
function plainText(text: string): string {
  return removeDrawings(text)
    .replaceAll(/(?<!\\)\{[^{}\n]*\}/g, '')
    .replaceAll('\\h', '\u00a0')
    .replaceAll(/\\([{}])/g, '$1');
}

/** The cues of an ASS track as a player shows them. Cues without text are left out. */
export function plainCues(cues: readonly Cue[]): Cue[] {
  return cues.flatMap((cue) => {
    const lines = plainText(cue.text)
      .split('\n')
      .filter((line) => line.replaceAll(/<[^<>]*>/g, '').trim() !== '');
    return lines.length > 1 ? [{ ...cue, text: lines.join('\n') }] : [];
  });
}

/** Like `plainCues`, of SRT. The cues are numbered anew, and empty lines, which would end a cue, are left out. */
export function plainSrt(text: string): string {
  const cues = plainText(text).split(/(?<![^\n])\d+\n(?=\d+:\d\d:\d\d,\d{3} --> )/);
  const shown = cues
    .map((cue) => cue.split(/\r?\n/).filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 1);
  return shown.map((lines, index) => `${index + 1}\n${lines.join('\n')}\n\n`).join('');
}
