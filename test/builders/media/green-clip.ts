import { expect } from 'vitest';
import { decodeFrameAt } from '../measure/frame-at.ts';
import { generatedFile } from './generated-file.ts';

const green = [0, 190, 0] as const;

export const greenSource = ['-f', 'lavfi', '-i', 'color=0x00be00:size=640x480:rate=5:duration=0.6'];
export const asBt601 = 'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p';
export const fastH264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4'];

/** Green of standard definition in BT.601. */
export function greenClip({
  name = 'sd-green.mp4',
  encoder = fastH264,
}: {
  name?: string;
  encoder?: readonly string[];
} = {}): Promise<string> {
  return generatedFile(name, [...greenSource, '-vf', asBt601, ...encoder]);
}

export async function expectGreen(path: string): Promise<void> {
  const found = (await decodeFrameAt(path, 0)).colour(100, 100);
  // The wrong matrix differs by 30.
  for (const [index, value] of green.entries()) {
    expect(Math.abs((found[index] ?? 0) - value), `${found}`).toBeLessThan(8);
  }
}
