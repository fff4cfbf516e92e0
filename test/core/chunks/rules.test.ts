import { describe, expect, it } from 'vitest';
import { encodingRules, onePieceFor } from '../../../core/chunks/encoding-rules.ts';
import { type Source, sourceRules } from '../../../core/chunks/source-rules.ts';
import type { VideoEncoding } from '../../../core/recipes/video-encoding.ts';
import { aLadderEncoding } from '../../builders/a-ladder-encoding.ts';
import { aPictureIndex } from '../../builders/a-picture-index.ts';
import { aProbe, aVideoStream } from '../../builders/a-probe.ts';
import { aVideoEncoding } from '../../builders/a-video-encoding.ts';

const compressing = aVideoEncoding();

describe('an encoding', () => {
  it('may be cut where each picture is encoded for itself', () => {
    for (const rule of Object.values(encodingRules)) expect(rule(compressing)).toBeUndefined();
  });

  it.each([
    ['filterRemembers', { picture: { ...compressing.picture, tempo: 2 } }, /speed changes/],
    ['filterRemembers', { picture: { ...compressing.picture, framesPerSecond: 24 } }, /frame rate changes/],
    ['rateIsShared', { quality: { bitrateKbps: 800 } }, /bit rate is asked for/],
    ['readsAnotherFile', { laterFilters: ["subtitles=filename='/tmp/a.srt'"] }, /file beside it/],
    ['onlyAPart', { range: { start: 1, end: 2 } }, /only a part/],
  ] satisfies [keyof typeof encodingRules, Partial<VideoEncoding>, RegExp][])(
    '%s',
    (rule, differences, reason) => {
      expect(encodingRules[rule]({ ...compressing, ...differences })).toMatch(reason);
    },
  );
});

describe('an encoding into several sizes', () => {
  const streamed = { segmentSeconds: 4, maxRatesKbps: [1000, 500] };

  it('may be cut, also where the rate of each is bounded from segment to segment', () => {
    expect(onePieceFor(aLadderEncoding())).toBeUndefined();
    expect(onePieceFor(aLadderEncoding({ streamed }))).toBeUndefined();
  });

  it('stays in one piece where its sound is encoded from a copy', () => {
    const soundFrom = { path: '/tmp/even-sound.mka', isOurs: true };
    expect(onePieceFor(aLadderEncoding({ soundFrom }))).toMatch(/sound changes on the way/);
    expect(onePieceFor(aVideoEncoding({ soundFrom }))).toMatch(/sound changes on the way/);
  });

  it('stays in one piece where its first picture is held from the beginning', () => {
    expect(onePieceFor(aLadderEncoding({ streamed: { ...streamed, heldAt: 25 } }))).toMatch(/begins late/);
  });
});

describe('a source', () => {
  const source: Source = { probe: aProbe(), video: aVideoStream(), index: aPictureIndex() };
  const oddities = source.index.oddities;
  const oddly = (differences: object): Partial<Source> => ({
    index: aPictureIndex({ oddities: { ...oddities, ...differences } }),
  });
  const timed = (...times: number[]): Partial<Source> => ({
    index: aPictureIndex({ times: Float64Array.from(times) }),
  });
  const broadcast = { probe: aProbe(undefined, { container: 'mpegts' }) };

  it('may be cut where its packets tell all', () => {
    for (const rule of Object.values(sourceRules)) expect(rule(source)).toBeUndefined();
  });

  it.each([
    ['packetsAreNotPictures', { video: aVideoStream({ codec: 'vp8' }) }, /usual in vp8/],
    ['timesAreMissing', oddly({ withoutTime: 7 }), /^7 of its pictures do not say/],
    ['timesAreMissing', timed(), /no picture of it says/],
    ['isDamaged', oddly({ damaged: 3 }), /^3 of its packets are damaged/],
    ['beginsBeforeAKeyframe', oddly({ beforeFirstKeyframe: 2 }), /^2 of its pictures come before/],
    ['timesRunBackwards', oddly({ runsBackwards: true }), /not in the order/],
    ['timesRunBackwards', timed(-40, 0), /before its beginning/],
    ['picturesAtOneTime', timed(0, 40, 40, 80), /at the same time/],
    ['timesJump', { ...broadcast, ...timed(0, 40, 11_000) }, /jump at 0\.040 s/],
    [
      'clockIsTooFine',
      { index: aPictureIndex({ timeBase: { numerator: 1, denominator: 10_000_000 } }) },
      /clock is finer/,
    ],
  ] as const)('%s', (rule, differences, reason) => {
    expect(sourceRules[rule]({ ...source, ...differences })).toMatch(reason);
  });

  it('may show one picture for long where its container has one clock', () => {
    expect(sourceRules.timesJump({ ...source, ...timed(0, 40, 11_000) })).toBeUndefined();
  });
});
