import { describe, expect, it } from 'vitest';
import { findJoinDefect, type JoinMeasurements } from '../../../src/chunking/verify/verify-join.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';

const spans = { packets: 938, startSeconds: -0.021, endSeconds: 20 };
const chunk = { frames: 250, startSeconds: 0, durationSeconds: 10, costShare: 0.5 };
const encoded = { chunk, measured: { frames: 250, extradataHash: 'murmur3:aa' } };

/** A correct join of two chunks of 10 s by default. */
function measurements(differences: Partial<JoinMeasurements> = {}): JoinMeasurements {
  return {
    chunks: [encoded, encoded],
    source: aFrameIndex({ frames: 500 }),
    joined: aFrameIndex({ frames: 500 }),
    audio: { encoded: [[spans]], joined: spans },
    ...differences,
  };
}

/** A joined file with one frame at another time. */
function withPtsOf(frame: number, pts: number) {
  const joined = aFrameIndex({ frames: 500 });
  joined.pts[frame] = pts;
  return { joined };
}

it('a join equal to a single pass has no defect', () => expect(findJoinDefect(measurements())).toBeUndefined());

it('a timestamp may differ by less than a tick of the joined file', () => {
  expect(findJoinDefect(measurements(withPtsOf(300, 12_001)))).toBeUndefined();
});

it.each<[string, Partial<JoinMeasurements>, RegExp]>([
  [
    'a chunk that lacks a frame',
    { chunks: [encoded, { ...encoded, measured: { ...encoded.measured, frames: 249 } }] },
    /^Chunk 2 has 249 frames; expected 250$/,
  ],
  [
    'a chunk with another decoder configuration',
    { chunks: [encoded, { ...encoded, measured: { ...encoded.measured, extradataHash: 'murmur3:bb' } }] },
    /^Chunk 2 has another decoder configuration/,
  ],
  ['a missing frame', { joined: aFrameIndex({ frames: 499 }) }, /^The joined file has 499 frames; the source has 500$/],
  ['a late frame', withPtsOf(300, 12_020), /^Frame 301 is shown 12\.0200 s .* 12\.0000 s$/],
  [
    'a late start',
    { joined: aFrameIndex({ frames: 500, timelineOrigin: { containerSeconds: 0.04, fileSeconds: 0 } }) },
    /^The joined video starts at 0\.040 s; expected 0\.000 s$/,
  ],
  [
    'missing audio packets',
    { audio: { encoded: [[spans]], joined: { ...spans, packets: 937 } } },
    /^The joined audio has 937 packets; 938 were encoded$/,
  ],
  [
    'audio that starts late',
    { audio: { encoded: [[spans]], joined: { ...spans, startSeconds: 0 } } },
    /^The joined audio starts at 0\.000 s; expected -0\.021 s$/,
  ],
  [
    'audio that ends early',
    { audio: { encoded: [[spans]], joined: { ...spans, endSeconds: 19.9 } } },
    /^The joined audio ends at 19\.900 s/,
  ],
])('a defect is %s', (_, differences, defect) => expect(findJoinDefect(measurements(differences))).toMatch(defect));

describe('a packaged join', () => {
  // AAC packets hold 1,024 samples; the end of the last one may be padding.
  const packaged = { keyframeIntervalSeconds: 2 };

  it('shows no frame late, not even a keyframe', () => {
    expect(findJoinDefect(measurements({ ...packaged, ...withPtsOf(300, 12_002) }))).toMatch(/^Frame 301/);
  });

  it('has a keyframe at each interval', () => {
    const joined = aFrameIndex({ frames: 500, keyframeEvery: 125 });
    expect(findJoinDefect(measurements({ ...packaged, joined }))).toBe('The frame at 2.000 s is not a keyframe');
  });

  it('may play its last audio packet to the end', () => {
    const later = (seconds: number) => ({ encoded: [[spans]], joined: { ...spans, endSeconds: 20 + seconds } });
    expect(findJoinDefect(measurements({ ...packaged, audio: later(0.02) }))).toBeUndefined();
    expect(findJoinDefect(measurements({ ...packaged, audio: later(0.03) }))).toMatch(/^The joined audio ends/);
    expect(findJoinDefect(measurements({ audio: later(0.02) }))).toMatch(/^The joined audio ends/);
  });
});
