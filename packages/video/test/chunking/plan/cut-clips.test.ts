import { describe, expect, it } from 'vitest';
import type { VideoToCut } from '../../../src/chunking/plan/chunked-clips.ts';
import { planChunks } from '../../../src/chunking/plan/plan-chunks.ts';
import { chunkSettingsSchema } from '../../../src/chunking/settings.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

const policy = {
  settings: chunkSettingsSchema.parse({}),
  speed: 'fast',
  work: { cpuSeconds: 600, chunksSeconds: 350, expectedSeconds: 350 },
  remainingSeconds: 800,
} as const;

/** An input of ten minutes at 25 frames per second, for an output of 25. */
function aClip({
  frames = 15_000,
  costShare = 0.5,
  index = aFrameIndex(),
}: {
  /** As its header states. */
  frames?: number;
  costShare?: number;
  index?: VideoToCut['index'];
} = {}): VideoToCut {
  const encoding = aVideoEncoding({
    transform: { scale: { width: 320, height: 180 }, framesPerSecond: '25/1', startSeconds: 0 },
  });
  const video = aVideoStream({ durationSeconds: 900 });
  const source = { probe: aProbe([video]), video, index, encoding };
  return { ...source, clip: { file: { path: '/in', probe: source.probe }, encoding, frames, costShare } };
}

function cut(...clips: VideoToCut[]) {
  const decision = planChunks(clips, policy);
  if (decision.chunks === undefined) throw new Error(decision.reason);
  return decision;
}

describe('clips that follow one another', () => {
  it('share the chunks by their cost, and each has one', () => {
    const { chunks } = cut(aClip({ costShare: 0.7 }), aClip({ costShare: 0.29 }), aClip({ costShare: 0.01 }));
    const counts = [0, 1, 2].map((number) => chunks.filter(({ clip }) => clip === number).length);
    expect(counts).toEqual([20, 8, 1]);
    expect(chunks.reduce((sum, { costShare }) => sum + costShare, 0)).toBeCloseTo(1);
  });

  it('have 200 chunks at most', () => {
    const clips = Array.from({ length: 20 }, () => aClip({ costShare: 0.05 }));
    const short = { ...policy, settings: { ...policy.settings, targetChunkSeconds: 10 } };
    // Room for one more chunk of each by rounding.
    expect(planChunks(clips, short).chunks).toHaveLength(180);
  });

  it('start where the one before ends', () => {
    const { chunks, frameTimes } = cut(aClip(), aClip());
    const second = chunks.find(({ clip }) => clip === 1);
    expect(second).toMatchObject({ startSeconds: 600, clipSeconds: 0 });
    expect(second).not.toHaveProperty('seekSeconds', expect.any(Number));
    expect(frameTimes.pts).toHaveLength(30_000);
    expect(chunks.reduce((sum, { frames }) => sum + frames, 0)).toBe(30_000);
  });

  it('have as many frames as their headers state, of which rounding may drop one', () => {
    const { chunks, clips } = cut(aClip({ frames: 15_001 }), aClip({ frames: 14_990 }));
    expect(clips.map(({ frames }) => frames)).toEqual([15_001, 14_990]);
    const [last, lastOfAll] = [chunks.findLast(({ clip }) => clip === 0), chunks.at(-1)];
    expect((last?.startSeconds ?? 0) + (last?.durationSeconds ?? 0)).toBeCloseTo(600.04);
    for (const chunk of [last, lastOfAll]) {
      expect(chunk).toMatchObject({ endsClip: true });
      expect(chunk).not.toHaveProperty('trimEndSeconds');
    }
  });

  it('are rejected if one has fewer', () => {
    expect(() => cut(aClip(), aClip({ index: aFrameIndex({ frames: 7_500 }) }))).toThrow(
      'inputs.1: Only 300.00 s of 600.00 s could be read; the input is probably damaged or truncated',
    );
  });

  it('are not split if a source cannot be, and the reason names it', () => {
    const index = aFrameIndex();
    const corrupt = { ...index, anomalies: { ...index.anomalies, corruptPackets: 2 } };
    expect(planChunks([aClip(), aClip({ index: corrupt })], policy)).toEqual({
      reason: 'Encoded in a single pass: inputs.1: 2 of its packets are corrupt',
    });
  });
});
