import { describe, expect, it } from 'vitest';
import { encodingRules, encodingSinglePassReason } from '../../../../core/chunking/plan/encoding-rules.ts';
import { type ChunkingSource, sourceRules } from '../../../../core/chunking/plan/source-rules.ts';
import type { VideoEncoding } from '../../../../core/encoding/encoding.ts';
import { aFrameIndex } from '../../../builders/chunking/a-frame-index.ts';
import { aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';
import { aLadderEncoding } from '../../../builders/recipes/a-ladder-encoding.ts';
import { aVideoEncoding } from '../../../builders/recipes/a-video-encoding.ts';

const compressing = aVideoEncoding();

describe('an encoding', () => {
  it('may be cut where each picture is encoded for itself', () => {
    for (const rule of Object.values(encodingRules)) expect(rule(compressing)).toBeUndefined();
  });

  it.each([
    ['filterRemembers', { transform: { ...compressing.transform, tempo: 2 } }, /speed changes/],
    [
      'filterRemembers',
      { transform: { ...compressing.transform, framesPerSecond: 24 } },
      /frame rate changes/,
    ],
    ['rateIsShared', { quality: { bitrateKbps: 800 } }, /bit rate is asked for/],
    ['readsAnotherFile', { finalFilters: ["subtitles=filename='/tmp/a.srt'"] }, /file beside it/],
    ['onlyAPart', { range: { start: 1, end: 2 } }, /only a part/],
  ] satisfies [keyof typeof encodingRules, Partial<VideoEncoding>, RegExp][])(
    '%s',
    (rule, differences, reason) => {
      expect(encodingRules[rule]({ ...compressing, ...differences })).toMatch(reason);
    },
  );
});

describe('an encoding into several sizes', () => {
  const segmenting = { segmentSeconds: 4, maxRatesKbps: [1000, 500] };

  it('may be cut, also where the rate of each is bounded from segment to segment', () => {
    expect(encodingSinglePassReason(aLadderEncoding())).toBeUndefined();
    expect(encodingSinglePassReason(aLadderEncoding({ segmenting }))).toBeUndefined();
  });

  it('stays in one piece where its sound is encoded from a copy', () => {
    const audioSource = { path: '/tmp/uniform-audio.mka', isTrusted: true };
    expect(encodingSinglePassReason(aLadderEncoding({ audioSource }))).toMatch(/sound changes on the way/);
    expect(encodingSinglePassReason(aVideoEncoding({ audioSource }))).toMatch(/sound changes on the way/);
  });

  it('stays in one piece where its first picture is held from the beginning', () => {
    expect(
      encodingSinglePassReason(aLadderEncoding({ segmenting: { ...segmenting, padStartFps: 25 } })),
    ).toMatch(/begins late/);
  });
});

describe('a source', () => {
  const source: ChunkingSource = { probe: aProbe(), video: aVideoStream(), index: aFrameIndex() };
  const oddities = source.index.anomalies;
  const oddly = (differences: object): Partial<ChunkingSource> => ({
    index: aFrameIndex({ anomalies: { ...oddities, ...differences } }),
  });
  const timed = (...times: number[]): Partial<ChunkingSource> => ({
    index: aFrameIndex({ pts: Float64Array.from(times) }),
  });
  const broadcast = { probe: aProbe(undefined, { container: 'mpegts' }) };

  it('may be cut where its packets tell all', () => {
    for (const rule of Object.values(sourceRules)) expect(rule(source)).toBeUndefined();
  });

  it.each([
    ['packetsAreNotPictures', { video: aVideoStream({ codec: 'vp8' }) }, /usual in vp8/],
    ['timesAreMissing', oddly({ missingPts: 7 }), /^7 of its pictures do not say/],
    ['timesAreMissing', timed(), /no picture of it says/],
    ['isDamaged', oddly({ corruptPackets: 3 }), /^3 of its packets are damaged/],
    ['beginsBeforeAKeyframe', oddly({ framesBeforeKeyframe: 2 }), /^2 of its pictures come before/],
    ['timesRunBackwards', oddly({ hasUnorderedKeyframes: true }), /not in the order/],
    ['timesRunBackwards', timed(-40, 0), /before its beginning/],
    ['picturesAtOneTime', timed(0, 40, 40, 80), /at the same time/],
    ['timesJump', { ...broadcast, ...timed(0, 40, 11_000) }, /jump at 0\.040 s/],
    [
      'clockIsTooFine',
      { index: aFrameIndex({ timeBase: { numerator: 1, denominator: 10_000_000 } }) },
      /clock is finer/,
    ],
  ] as const)('%s', (rule, differences, reason) => {
    expect(sourceRules[rule]({ ...source, ...differences })).toMatch(reason);
  });

  it('may show one picture for long where its container has one clock', () => {
    expect(sourceRules.timesJump({ ...source, ...timed(0, 40, 11_000) })).toBeUndefined();
  });
});
