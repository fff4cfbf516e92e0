import { describe, expect, it } from 'vitest';
import { intermediateEncoding } from '../../../src/encoding/video/default-encoding.ts';
import { assignFormats } from '../../../src/recipes/graph/steps.ts';
import { recipeRequestSchema } from '../../../src/recipes/registry.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const hd = { width: 1920, height: 1080, framesPerSecond: 25 };

type Change = Omit<Parameters<typeof intermediateEncoding>[1], 'codec'>;

function encodingOf(durationSeconds: number, change: Change = {}) {
  const probe = aProbe([aVideoStream({ ...hd, durationSeconds })], { durationSeconds });
  return intermediateEncoding(probe, { codec: 'h264', ...change });
}

describe('an intermediate', () => {
  it('takes at most three gigabytes of disk', () => {
    expect(encodingOf(3600)).toMatchObject({ preset: 'superfast', quality: { crf: 14, maxKbps: 6666 } });
    expect(encodingOf(1800, { tempo: 0.5 })).toEqual(encodingOf(3600));
  });

  it('has the default encoding if that is too little for its duration', () => {
    expect(encodingOf(5400)).toEqual({ audioBitrateKbps: 256 });
    expect(encodingOf(2700, { tempo: 0.5 })).toEqual({ audioBitrateKbps: 256 });
  });

  it('is measured by what the step writes, not by its source', () => {
    expect(encodingOf(5400, { range: { start: 4000, end: 4010 } })).toMatchObject({ preset: 'superfast' });
    expect(encodingOf(5400, { size: { width: 854, height: 480 } })).toMatchObject({ preset: 'superfast' });
    expect(encodingOf(3600, { size: { width: 3840, height: 2160 } })).toEqual({ audioBitrateKbps: 256 });
  });

  it('is limited to the maximum bit rate of the encoder, however short it is', () => {
    expect(encodingOf(0.5)).toMatchObject({ quality: { maxKbps: 200_000 } });
  });

  it('is neither a named step nor the last one', () => {
    const recipe = recipeRequestSchema.parse({ name: 'mute' });
    const steps = assignFormats([{ recipe }, { name: 'kept', recipe }, { recipe }], 'mp4');
    expect(steps.map(({ isIntermediate }) => isIntermediate)).toEqual([true, false, false]);
  });
});
