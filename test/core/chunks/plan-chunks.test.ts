import { describe, expect, it } from 'vitest';
import { processorSeconds } from '../../../core/chunks/effort.ts';
import { onePieceAnyway, planChunks, type Wish } from '../../../core/chunks/plan-chunks.ts';
import { chunkSettingsSchema } from '../../../core/chunks/settings.ts';
import type { Encoding } from '../../../core/recipes/encoding.ts';
import { aLadderEncoding } from '../../builders/a-ladder-encoding.ts';
import { aPictureIndex } from '../../builders/a-picture-index.ts';
import { aProbe, aVideoStream } from '../../builders/a-probe.ts';
import { aVideoEncoding } from '../../builders/a-video-encoding.ts';

const fast: Wish = { settings: chunkSettingsSchema.parse({}), speed: 'fast', processors: 2 };
const standard: Wish = { ...fast, speed: 'standard' };
const film = aVideoEncoding({ picture: { scale: { width: 1920, height: 1080 } } });

/** The decision on a source of 10 minutes, unless told otherwise. */
function decide(index = aPictureIndex(), wish = fast, encoding: Encoding = film) {
  return planChunks({ probe: aProbe(), video: aVideoStream(), index }, encoding, wish);
}

function wishFor(differences: Partial<Wish['settings']>): Wish {
  return { ...fast, settings: { ...fast.settings, ...differences } };
}

describe('a job that asks for speed', () => {
  it('is cut into chunks of the length that the deployment sets, and says so', () => {
    const { chunks, reason } = decide();
    expect(chunks).toHaveLength(9);
    expect(reason).toMatch(
      /^Encoded in 9 chunks of 6\d\.\d to 6\d\.\d s side by side: the job asks for speed$/,
    );
  });

  it('never has more than 200 chunks', () => {
    const index = aPictureIndex({ pictures: 25 * 900 });
    expect(decide(index, wishFor({ targetChunkSeconds: 2 })).chunks).toHaveLength(200);
  });

  it('stays in one piece where the source is short', () => {
    expect(decide(aPictureIndex({ pictures: 2500 }))).toEqual({
      reason: 'Encoded in one piece: it lasts 100.0 s, and chunks begin at 120 s',
    });
  });

  it('stays in one piece where keyframes are too few', () => {
    expect(decide(aPictureIndex({ keyframeEvery: 20_000 })).reason).toMatch(/keyframes are too few: 100 %/);
    expect(decide(aPictureIndex({ keyframeEvery: 12_500 })).reason).toMatch(/keyframes are too few: 83 %/);
  });

  it('stays in one piece where a rule of the source or of the encoding says so', () => {
    expect(decide(aPictureIndex({ timeBase: { numerator: 1, denominator: 9_000_000 } })).reason).toMatch(
      /^Encoded in one piece: its clock/,
    );
    const shared = aVideoEncoding({ quality: { bitrateKbps: 500 } });
    expect(decide(aPictureIndex(), fast, shared).reason).toMatch(/^Encoded in one piece: a bit rate/);
  });
});

describe('a job of standard speed', () => {
  it('stays in one piece where that is soon enough', () => {
    const small = aVideoEncoding();
    expect(decide(aPictureIndex(), standard, small).reason).toMatch(
      /^Encoded in one piece: that takes about \d+ s, and up to 300 s is soon enough at standard speed$/,
    );
  });

  it('is cut where one piece would take too long', () => {
    const { chunks, reason } = decide(aPictureIndex(), standard, { ...film, codec: 'h265' });
    expect(chunks).toHaveLength(9);
    expect(reason).toMatch(/one piece would take too long$/);
  });
});

it('can be told before the packets of the source are read', () => {
  expect(onePieceAnyway(film, { seconds: 30, pictures: 750 }, fast)).toMatch(
    /^Encoded in one piece: it lasts/,
  );
  expect(onePieceAnyway(film, { seconds: 600, pictures: 15_000 }, fast)).toBeUndefined();
});

describe('an encoding into several sizes', () => {
  const sizes = [1080, 720].map((height) => ({ width: (height * 16) / 9, height }));
  const [largest = { width: 0, height: 0 }, ...others] = sizes;
  const ladder = aLadderEncoding({ sizes: [largest, ...others] });

  it('is cut as one into a single size is', () => {
    expect(decide(aPictureIndex(), fast, ladder)).toEqual(decide(aPictureIndex(), fast, film));
  });

  it('takes as long as all of them together', () => {
    const each = sizes.map((scale) => processorSeconds(1000, aVideoEncoding({ picture: { scale } })));
    expect(processorSeconds(1000, ladder)).toBeCloseTo(each.reduce((sum, seconds) => sum + seconds));
  });
});
