import { describe, expect, it } from 'vitest';
import { passingEncoding } from '../../../core/recipes/passing-encoding.ts';
import { recipeRequestSchema } from '../../../core/recipes/registry.ts';
import { withFormats } from '../../../core/recipes/steps.ts';
import { aProbe, aVideoStream } from '../../builders/a-probe.ts';

const hd = { width: 1920, height: 1080, framesPerSecond: 25 };

function encodingOf(durationSeconds: number, tempo = 1) {
  const probe = aProbe([aVideoStream({ ...hd, durationSeconds })], { durationSeconds });
  return passingEncoding(probe, { codec: 'h264', tempo });
}

describe('a file that only passes to the next step', () => {
  it('takes three gigabytes of the disk at most', () => {
    expect(encodingOf(3600)).toMatchObject({ preset: 'superfast', quality: { crf: 14, mostKbps: 6666 } });
    expect(encodingOf(1800, 0.5)).toEqual(encodingOf(3600));
  });

  it('is an ordinary one where that is too little for its length', () => {
    expect(encodingOf(5400)).toEqual({ audioBitrateKbps: 256 });
    expect(encodingOf(2700, 0.5)).toEqual({ audioBitrateKbps: 256 });
  });

  it('is limited to what an encoder can count, however short it is', () => {
    expect(encodingOf(0.5)).toMatchObject({ quality: { mostKbps: 200_000 } });
  });

  it('is none that has a name, nor the last one', () => {
    const recipe = recipeRequestSchema.parse({ name: 'mute' });
    const steps = withFormats([{ recipe }, { name: 'kept', recipe }, { recipe }], 'mp4');
    expect(steps.map(({ isPassing }) => isPassing)).toEqual([true, false, false]);
  });
});
