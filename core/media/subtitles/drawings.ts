import type { Cue } from './webvtt.ts';

/** Commands of an ASS drawing: it begins with a move, and a line or a curve follows. */
const drawing =
  /(?<![^\s>])[mn](?: +-?[\d.]+){2} +[lbsmn](?: +-?[\d.]+){2}(?: +(?:[mnlbspc]|-?[\d.]+))*(?![^\s<]) */g;

/**
 * Removes the drawings of an ASS track from its conversion: ffmpeg writes their commands as text. Cues without other text
 * are left out.
 */
export function withoutDrawings(cues: readonly Cue[]): Cue[] {
  return cues.flatMap((cue) => {
    const text = cue.text.replaceAll(drawing, '');
    if (text === cue.text) return [cue];
    const lines = text.split('\n').filter((line) => line.replaceAll(/<[^<>]*>/g, '').trim() !== '');
    return lines.length > 1 ? [{ ...cue, text: lines.join('\n') }] : [];
  });
}
