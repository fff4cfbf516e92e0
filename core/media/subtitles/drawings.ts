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

/** Like `removeDrawings`. Cues without other text are left out. */
export function withoutDrawings(cues: readonly Cue[]): Cue[] {
  return cues.flatMap((cue) => {
    const text = removeDrawings(cue.text);
    if (text === cue.text) return [cue];
    const lines = text.split('\n').filter((line) => line.replaceAll(/<[^<>]*>/g, '').trim() !== '');
    return lines.length > 1 ? [{ ...cue, text: lines.join('\n') }] : [];
  });
}

/** Like `removeDrawings`, of SRT. Cues without other text are left out, and the others numbered anew. */
export function srtWithoutDrawings(text: string): string {
  const cues = removeDrawings(text).split(/(?<![^\n])\d+\n(?=\d+:\d\d:\d\d,\d{3} --> )/);
  const shown = cues.filter((cue) => cue.replace(/^.*\n?/, '').trim() !== '');
  return shown.map((cue, index) => `${index + 1}\n${cue.trimEnd()}\n\n`).join('');
}
