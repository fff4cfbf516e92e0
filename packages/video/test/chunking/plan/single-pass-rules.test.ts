import { describe, expect, it } from 'vitest';
import { encodingRules, encodingSinglePassReason } from '../../../src/chunking/plan/chunk-policy.ts';
import { type ChunkingSource, endSinglePassReason, sourceRules } from '../../../src/chunking/plan/single-pass-rules.ts';
import type { VideoEncoding } from '../../../src/encoding/encoding.ts';
import { filter } from '../../../src/media/filters/filter.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';
import { anAudioStream, aProbe, aSubtitleStream, aVideoStream } from '../../builders/media/a-probe.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

const compressing = aVideoEncoding();

describe('an encoding', () => {
  it('may be cut if each frame is encoded on its own', () => {
    for (const rule of Object.values(encodingRules)) expect(rule(compressing)).toBeUndefined();
  });

  it.each([
    ['padsStart', { finalFilters: [filter('fps', '25')] }, /first frame is shown from the start/],
    ['keepsTransparency', { transform: { ...compressing.transform, background: 'keep' } }, /transparency is kept/],
    [
      'changesRateOfRange',
      { range: { start: 1, end: 2 }, transform: { ...compressing.transform, framesPerSecond: 25 } },
      /a time range of the source is kept at another frame rate/,
    ],
  ] satisfies [keyof typeof encodingRules, Partial<VideoEncoding>, RegExp][])('%s', (rule, differences, reason) => {
    expect(encodingRules[rule]({ ...compressing, ...differences })).toMatch(reason);
  });
});

describe('a ladder encoding', () => {
  const segmenting = { keyframeIntervalSeconds: 2, maxRatesKbps: [1000, 500] };

  it('may be cut, also with a bit rate limit and in several codecs', () => {
    expect(encodingSinglePassReason(aLadderEncoding())).toBeUndefined();
    expect(encodingSinglePassReason(aLadderEncoding({ segmenting }))).toBeUndefined();
    const otherCodecs = [aLadderEncoding({ segmenting, codec: 'av1' })];
    expect(encodingSinglePassReason(aLadderEncoding({ segmenting, otherCodecs }))).toBeUndefined();
  });

  it('needs a single pass if its last frame is repeated until the audio ends', () => {
    const heldEnd = { fromSeconds: 5, untilSeconds: 60 };
    expect(encodingSinglePassReason(aLadderEncoding({ segmenting: { ...segmenting, heldEnd } }))).toMatch(
      /last frame is shown until the audio ends/,
    );
  });

  it('needs a single pass if its audio is encoded from an intermediate file', () => {
    const audioSource = { path: '/tmp/uniform-audio.mka', isTrusted: true };
    expect(encodingSinglePassReason(aLadderEncoding({ audioSource }))).toMatch(/audio format changes/);
    expect(encodingSinglePassReason(aVideoEncoding({ audioSource }))).toMatch(/audio format changes/);
  });
});

describe('a source that does not state when its video ends', () => {
  const unstated = { durationSeconds: undefined };
  const streams = [aVideoStream(unstated), anAudioStream(unstated)];
  const probe = aProbe(streams, { durationSeconds: 600, container: 'matroska,webm' });
  const endingAt = (seconds: number) => aFrameIndex({ pts: Float64Array.from([0, seconds * 1000]) });
  const stream = aLadderEncoding({ segmenting: { keyframeIntervalSeconds: 2, maxRatesKbps: [1000, 500] } });
  const reason = /^its video ends at 590\.0 s of 600\.0 s, which its container does not state$/;

  it.each([
    ['a stream, whose last frame may have to be held', stream, 590, reason],
    ['a stream, if the video ends about when the file does', stream, 598.5, undefined],
    ['a video without audio', aVideoEncoding({ isMuted: true }), 590, reason],
    ['a video with audio, which lasts as long as the file', aVideoEncoding(), 590, undefined],
    ['a time range before the end', aVideoEncoding({ isMuted: true, range: { start: 0, end: 100 } }), 590, undefined],
  ])('needs a single pass, or not: %s', (_, encoding, seconds, expected) => {
    const found = endSinglePassReason({ probe, index: endingAt(seconds) }, encoding);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(expected);
  });

  it('needs a single pass if subtitles may be what lasts as long as the file', () => {
    const withSubtitles = { ...probe, streams: [...streams, aSubtitleStream({ index: 2, ...unstated })] };
    const source = { probe: withSubtitles, index: endingAt(590) };
    expect(endSinglePassReason(source, aVideoEncoding())).toMatch(reason);
  });

  it('needs none if its container states it', () => {
    const stated = aProbe([aVideoStream({ durationSeconds: 590 }), anAudioStream({ durationSeconds: 600 })]);
    expect(endSinglePassReason({ probe: stated, index: endingAt(590) }, stream)).toBeUndefined();
  });
});

describe('a source', () => {
  const video = aVideoStream({ durationSeconds: 600 });
  const source: ChunkingSource = { probe: aProbe([video]), video, index: aFrameIndex() };
  const anomalies = source.index.anomalies;
  const withAnomalies = (differences: object): Partial<ChunkingSource> => ({
    index: aFrameIndex({ anomalies: { ...anomalies, ...differences } }),
  });
  const timed = (...times: number[]): Partial<ChunkingSource> => ({
    index: aFrameIndex({ pts: Float64Array.from(times) }),
  });
  const broadcast = { probe: aProbe(undefined, { container: 'mpegts' }) };
  const cover = aVideoStream({ isAttachedPicture: true, durationSeconds: 0.04 });
  const withCoverTrack = aProbe([cover, aVideoStream({ index: 1 })], { container: 'matroska,webm' });

  it('may be cut if its packets have no anomalies', () => {
    for (const rule of Object.values(sourceRules)) expect(rule(source)).toBeUndefined();
  });

  it('may be cut if it states the rate of its fields, but has packets of whole frames', () => {
    const interlaced = aVideoStream({ framesPerSecond: 25, statesFieldRate: true });
    const index = timed(0, 40, 80, 120, 160, 200, 240, 280);
    expect(sourceRules.packetsAreFields({ ...source, ...index, video: interlaced })).toBeUndefined();
  });

  it.each([
    ['packetsAreNotFrames', { video: aVideoStream({ codec: 'vp8' }) }, /usual in vp8/],
    [
      'packetsAreFields',
      {
        video: aVideoStream({ framesPerSecond: 25, statesFieldRate: true }),
        ...timed(0, 20, 40, 60, 80, 100, 120, 140),
      },
      /packets are single fields/,
    ],
    ['misstatesKeyframes', { video: aVideoStream({ misstatesKeyframes: true }) }, /states keyframes that are none/],
    ['seeksByCover', { probe: withCoverTrack }, /ffmpeg seeks by its cover image/],
    [
      'needsAlphaDecoder',
      { video: aVideoStream({ codec: 'vp9', pixelFormat: 'yuva420p' }) },
      /transparency needs another decoder/,
    ],
    ['hasMissingPts', withAnomalies({ missingPts: 7 }), /^7 of its frames have no timestamp/],
    ['hasMissingPts', timed(), /no frame has a timestamp/],
    ['outlastsItsDuration', timed(0, 40, 700_000), /^it lasts until 700\.0 s, but states an end at 600\.0 s/],
    [
      'outlastsItsDuration',
      { index: aFrameIndex({ lastFrameTicks: 100_000 }) },
      /^it lasts until 700\.0 s, but states an end at 600\.0 s/,
    ],
    ['hasTooManyPackets', withAnomalies({ unreadPackets: 5 }), /^it has 5 frames more than can be indexed/],
    ['hasCorruptPackets', withAnomalies({ corruptPackets: 3 }), /^3 of its packets are corrupt/],
    ['startsBeforeKeyframe', withAnomalies({ framesBeforeKeyframe: 2 }), /^2 of its frames come before/],
    ['hasUnorderedPts', withAnomalies({ hasUnorderedKeyframes: true }), /not in presentation order/],
    ['hasUnorderedPts', timed(-40, 0), /before the start of its timeline/],
    ['hasDuplicatePts', timed(0, 40, 40, 80), /the same timestamp/],
    ['hasTimestampGap', { ...broadcast, ...timed(0, 40, 11_000) }, /timestamps jump at 0\.040 s/],
    [
      'timeBaseIsTooFine',
      { index: aFrameIndex({ timeBase: { numerator: 1, denominator: 10_000_000 } }) },
      /time base is finer/,
    ],
  ] as const)('%s', (rule, differences, reason) => {
    expect(sourceRules[rule]({ ...source, ...differences })).toMatch(reason);
  });

  it('may end a little later than it states', () => {
    expect(sourceRules.outlastsItsDuration({ ...source, ...timed(0, 40, 605_000) })).toBeUndefined();
    const unstated = aProbe([aVideoStream({ durationSeconds: undefined })], { durationSeconds: undefined });
    expect(sourceRules.outlastsItsDuration({ ...source, probe: unstated })).toBeUndefined();
  });

  it('may have a long gap in a container with continuous timestamps', () => {
    expect(sourceRules.hasTimestampGap({ ...source, ...timed(0, 40, 11_000) })).toBeUndefined();
  });
});
