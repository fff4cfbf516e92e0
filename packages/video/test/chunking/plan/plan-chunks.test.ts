import { describe, expect, it } from 'vitest';
import { type ChunkingPolicy, singlePassReason } from '../../../src/chunking/plan/chunk-policy.ts';
import { planChunks } from '../../../src/chunking/plan/plan-chunks.ts';
import { chunkSettingsSchema } from '../../../src/chunking/settings.ts';
import type { Encoding } from '../../../src/encoding/encoding.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

const fast: ChunkingPolicy = {
  settings: chunkSettingsSchema.parse({}),
  speed: 'fast',
  work: { cpuSeconds: 600, chunksSeconds: 350, expectedSeconds: 350 },
  remainingSeconds: 800,
};
const standard: ChunkingPolicy = { ...fast, speed: 'standard' };
const fullHd = aVideoEncoding({ transform: { scale: { width: 1920, height: 1080 } } });

/** The decision on a source of 10 minutes by default. */
function decide(index = aFrameIndex(), policy = fast, encoding: Encoding = fullHd) {
  const video = aVideoStream({ durationSeconds: 900 });
  return planChunks([{ probe: aProbe([video]), video, index, encoding }], policy);
}

function policyWith(differences: Partial<ChunkingPolicy['settings']>): ChunkingPolicy {
  return { ...fast, settings: { ...fast.settings, ...differences } };
}

describe('a job that requests speed', () => {
  it('is cut into chunks of the configured length', () => {
    const { chunks, reason } = decide();
    expect(chunks).toHaveLength(9);
    expect(reason).toMatch(/^Encoded in 9 chunks of 6\d\.\d to 6\d\.\d s in parallel: the job requests speed$/);
  });

  it('has 200 chunks at most', () => {
    const index = aFrameIndex({ frames: 25 * 900 });
    expect(decide(index, policyWith({ targetChunkSeconds: 2 })).chunks).toHaveLength(200);
  });

  it('takes a single pass if the source is short', () => {
    const little = { ...fast, work: { cpuSeconds: 100, chunksSeconds: 60, expectedSeconds: 60 } };
    expect(decide(aFrameIndex({ frames: 2500 }), little)).toEqual({
      reason: 'Encoded in a single pass: it lasts 100.0 s; only videos of at least 120 s are split into chunks',
    });
  });

  it('takes a single pass if its measurements leave this worker no time for the plan', () => {
    const measured = (measuringSeconds: number) => ({ ...fast, work: { ...fast.work, measuringSeconds } });
    expect(decide(aFrameIndex(), measured(801)).reason).toBe(
      'Encoded in a single pass: its measurements before the chunks take about 801 s, and a function has 800 s',
    );
    expect(decide(aFrameIndex(), measured(799)).chunks).toHaveLength(9);
  });

  it('takes a single pass if keyframes are too few', () => {
    expect(decide(aFrameIndex({ keyframeEvery: 20_000 })).reason).toMatch(
      /keyframes are too few: one chunk would hold 100 %/,
    );
    expect(decide(aFrameIndex({ keyframeEvery: 12_500 })).reason).toMatch(
      /keyframes are too few: one chunk would hold 83 %/,
    );
  });

  it('takes a single pass if a rule of the source or of the encoding says so', () => {
    expect(decide(aFrameIndex({ timeBase: { numerator: 1, denominator: 9_000_000 } })).reason).toMatch(
      /^Encoded in a single pass: its time base/,
    );
    const transparent = aVideoEncoding({ transform: { scale: { width: 1920, height: 1080 }, background: 'keep' } });
    expect(decide(aFrameIndex(), fast, transparent).reason).toMatch(
      /^Encoded in a single pass: its transparency is kept/,
    );
  });
});

describe('an encoding with a frame grid', () => {
  const frameGrid = { ticksPerSecond: 24_000, frameTicks: 1001, drift: 0 };
  const pts = Float64Array.from({ length: 15_000 }, (_, frame) => Math.round((frame * 1001) / 24));

  it('has chunks that start on the grid, but are cut between the frames of the source', () => {
    const index = aFrameIndex({ pts });
    const plain = decide(index).chunks ?? [];
    const decision = decide(index, fast, { ...fullHd, frameGrid });
    if (decision.chunks === undefined) throw new Error(decision.reason);
    const { chunks, frameTimes } = decision;
    expect(frameTimes.pts[14_999]).toBe(14_999 * 1001);
    let frames = 0;
    for (const [number, chunk] of chunks.entries()) {
      expect(chunk.startSeconds).toBeCloseTo((frames * 1001) / 24_000, 9);
      expect(chunk.trimStartSeconds).toBe(plain[number]?.trimStartSeconds);
      frames += chunk.frames;
    }
    expect(frames).toBe(15_000);
  });

  it('takes a single pass if two frames would have the same time', () => {
    // One is a millisecond before the next, which is half a millisecond late.
    const index = aFrameIndex({ pts: pts.with(4811, Math.floor((4812 * 1001) / 24)) });
    expect(decide(index).chunks).toBeDefined();
    expect(decide(index, fast, { ...fullHd, frameGrid }).reason).toBe(
      'Encoded in a single pass: several of its frames have the same time at its constant rate',
    );
  });
});

describe('a job of standard speed', () => {
  it('takes a single pass if that is fast enough', () => {
    const quick = { ...standard, work: { cpuSeconds: 300, chunksSeconds: 175, expectedSeconds: 175 } };
    expect(decide(aFrameIndex(), quick).reason).toMatch(
      /^Encoded in a single pass: it takes about 175 s, and standard speed allows 300 s$/,
    );
  });

  it('is cut if a single pass would take over half of the time that is left', () => {
    const late = {
      ...standard,
      work: { cpuSeconds: 300, chunksSeconds: 175, expectedSeconds: 175 },
      remainingSeconds: 340,
    };
    expect(decide(aFrameIndex(), late).chunks).toHaveLength(9);
  });

  it('is cut if a single pass would take too long', () => {
    const { chunks, reason } = decide(aFrameIndex(), standard);
    expect(chunks).toHaveLength(9);
    expect(reason).toMatch(/a single pass would take too long$/);
  });
});

it('a reason for a single pass may be known before the packets are read', () => {
  expect(singlePassReason(fullHd, 7, fast)).toMatch(/^Encoded in a single pass: it lasts/);
  expect(singlePassReason(fullHd, 600, fast)).toBeUndefined();
});

describe('a ladder encoding', () => {
  const sizes = [1080, 720].map((height) => ({ width: (height * 16) / 9, height }));
  const [largest = { width: 0, height: 0 }, ...others] = sizes;
  const ladder = aLadderEncoding({ sizes: [largest, ...others] });

  it('is cut like an encoding into one rendition', () => {
    expect(decide(aFrameIndex(), fast, ladder)).toEqual(decide(aFrameIndex(), fast, fullHd));
  });
});

describe('a chunk with much work', () => {
  const index = aFrameIndex({ keyframeEvery: 25 });
  const heavy = (cpuSeconds: number) => ({
    ...fast,
    work: { cpuSeconds, chunksSeconds: cpuSeconds, expectedSeconds: cpuSeconds },
  });

  it('is as short as the budget of processor seconds allows', () => {
    expect(decide(index, heavy(6000)).chunks).toHaveLength(40);
  });

  it('lasts at least 4 s', () => expect(decide(index, heavy(60_000)).chunks).toHaveLength(149));

  it('is rejected if it would exceed the time of a function', () => {
    expect(decide(index, heavy(600_000)).reason).toMatch(
      /^Encoded in a single pass: one of 149 chunks would take up to \d+ s, and a function has 840 s$/,
    );
  });

  it('makes a short video worth splitting', () => {
    const short = aFrameIndex({ frames: 119 * 25, keyframeEvery: 25 });
    expect(
      decide(short, { ...standard, work: { cpuSeconds: 3000, chunksSeconds: 1700, expectedSeconds: 1700 } }).chunks
        ?.length,
    ).toBe(19);
  });
});
