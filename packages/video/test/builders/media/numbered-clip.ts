import { generatedFile } from './generated-file.ts';

/** Frames per second of a numbered clip, which lasts 6.25 s. */
export const numberedFramesPerSecond = 10;

/** A clip in which each frame is one grey, three steps brighter than the one before, with a keyframe every `gop` frames. */
export function numberedClip(gop = 250): Promise<string> {
  return generatedFile('numbered.mp4', [
    ...['-f', 'lavfi', '-i', `nullsrc=size=128x72:rate=${numberedFramesPerSecond}:duration=6.25`],
    ...['-vf', "geq=lum='16+3*N':cb=128:cr=128", '-c:v', 'libx264', '-crf', '4', '-pix_fmt', 'yuv420p'],
    ...['-g', String(gop), '-keyint_min', String(Math.min(gop, 25)), '-sc_threshold', '0'],
  ]);
}

/** The number of the frame with a grey of full range, 0 to 255. It has a fraction. */
export function frameNumber(grey: number): number {
  return (grey * 219) / 255 / 3;
}
