import { expect } from 'vitest';
import { decodeFrameAt } from './frame-at.ts';

const green = [0, 190, 0] as const;

/** The first frame of a file has the color of `greenClip`. */
export async function expectGreen(path: string): Promise<void> {
  const found = (await decodeFrameAt(path, 0)).colour(100, 100);
  // The wrong matrix differs by 30.
  for (const [index, value] of green.entries()) {
    expect(Math.abs((found[index] ?? 0) - value), `${found}`).toBeLessThan(8);
  }
}
