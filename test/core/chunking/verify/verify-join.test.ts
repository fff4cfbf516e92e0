import { describe, expect, it } from 'vitest';
import { findJoinDefect, type JoinMeasurements } from '../../../../core/chunking/verify/verify-join.ts';
import { aFrameIndex } from '../../../builders/chunking/a-frame-index.ts';

const spans = { packets: 938, startSeconds: -0.021, endSeconds: 20 };
const chunk = { frames: 250, startSeconds: 0, durationSeconds: 10, costShare: 0.5 };
const part = { chunk, measured: { frames: 250, extradataHash: 'murmur3:aa' } };

/** Two chunks of 10 s that were joined well, unless told otherwise. */
function theWork(differences: Partial<JoinMeasurements> = {}): JoinMeasurements {
  return {
    chunks: [part, part],
    source: aFrameIndex({ pictures: 500 }),
    joined: aFrameIndex({ pictures: 500 }),
    audio: { encoded: spans, joined: spans },
    ...differences,
  };
}

/** The joined pictures, one of which is shown at another time. */
function withTimeOf(picture: number, time: number) {
  const joined = aFrameIndex({ pictures: 500 });
  joined.pts[picture] = time;
  return { joined };
}

it('finds nothing where the file is what one pass makes', () => {
  expect(findJoinDefect(theWork())).toBeUndefined();
});

it('takes a time for right that the clock of the file cannot say better', () => {
  expect(findJoinDefect(theWork(withTimeOf(300, 12_001)))).toBeUndefined();
});

it.each<[string, Partial<JoinMeasurements>, RegExp]>([
  [
    'a chunk lacks a picture',
    { chunks: [part, { ...part, measured: { ...part.measured, frames: 249 } }] },
    /^Chunk 2 has 249 frames; expected 250$/,
  ],
  [
    'a chunk is set up otherwise',
    { chunks: [part, { ...part, measured: { ...part.measured, extradataHash: 'murmur3:bb' } }] },
    /^Chunk 2 has another decoder configuration/,
  ],
  [
    'a picture is missing',
    { joined: aFrameIndex({ pictures: 499 }) },
    /^The joined file has 499 frames; the source has 500$/,
  ],
  ['a picture is late', withTimeOf(300, 12_020), /^Frame 301 is shown 12\.0200 s .* 12\.0000 s$/],
  [
    'it begins late',
    { joined: aFrameIndex({ pictures: 500, timelineOrigin: { containerSeconds: 0.04, fileSeconds: 0 } }) },
    /^The joined video starts at 0\.040 s; expected 0\.000 s$/,
  ],
  [
    'some of the sound is missing',
    { audio: { encoded: spans, joined: { ...spans, packets: 937 } } },
    /^The joined audio has 937 packets; 938 were encoded$/,
  ],
  [
    'the sound begins late',
    { audio: { encoded: spans, joined: { ...spans, startSeconds: 0 } } },
    /^The joined audio starts at 0\.000 s; expected -0\.021 s$/,
  ],
  [
    'the sound ends early',
    { audio: { encoded: spans, joined: { ...spans, endSeconds: 19.9 } } },
    /^The joined audio ends at 19\.900 s/,
  ],
])('says so where %s', (_, differences, flaw) => {
  expect(findJoinDefect(theWork(differences))).toMatch(flaw);
});

describe('what is packed in segments', () => {
  // The sound's packets are of 1,024 samples, the last of which may be silence that is not played.
  const packed = { segmentSeconds: 4 };

  it('may show the first picture of a segment a millisecond off, and no other', () => {
    expect(findJoinDefect(theWork({ ...packed, ...withTimeOf(300, 12_002) }))).toBeUndefined();
    expect(findJoinDefect(theWork({ ...packed, ...withTimeOf(300, 12_020) }))).toMatch(/^Frame 301/);
    expect(findJoinDefect(theWork({ ...packed, ...withTimeOf(299, 11_962) }))).toMatch(/^Frame 300/);
  });

  it('has to have a keyframe where each begins', () => {
    const joined = aFrameIndex({ pictures: 500, keyframeEvery: 125 });
    expect(findJoinDefect(theWork({ ...packed, joined }))).toBe(
      'The segment at 4.000 s does not start with a keyframe',
    );
  });

  it('may play the last packet of its sound to the end', () => {
    const later = (seconds: number) => ({ encoded: spans, joined: { ...spans, endSeconds: 20 + seconds } });
    expect(findJoinDefect(theWork({ ...packed, audio: later(0.02) }))).toBeUndefined();
    expect(findJoinDefect(theWork({ ...packed, audio: later(0.03) }))).toMatch(/^The joined audio ends/);
    expect(findJoinDefect(theWork({ audio: later(0.02) }))).toMatch(/^The joined audio ends/);
  });
});
