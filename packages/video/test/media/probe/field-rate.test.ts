import { expect, it } from 'vitest';
import { withFrameRate } from '../../../src/media/probe/measured-rate.ts';
import { mayStateFieldRate } from '../../../src/media/probe/stated-properties.ts';
import { aVideoStream } from '../../builders/media/a-probe.ts';

const interlaced = aVideoStream({ isInterlaced: true, framesPerSecond: 50, baseFramesPerSecond: 50 });
const halved = { framesPerSecond: 25, baseFramesPerSecond: 25, statesFieldRate: true };

it.each([
  ['frames twice as far apart', interlaced, [0, 0.04, 0.08, 0.12], halved],
  ['frames in another order', interlaced, [0.12, 0, 0.08, 0.04], halved],
  ['a gap', interlaced, [0, 0.04, 0.08, 5.12, 5.16], halved],
  [
    'milliseconds',
    { ...interlaced, framesPerSecond: 60_000 / 1001, baseFramesPerSecond: 60_000 / 1001 },
    [0, 0.033, 0.067, 0.1],
    { framesPerSecond: 30_000 / 1001, statesFieldRate: true },
  ],
  ['frames at the stated rate', interlaced, [0, 0.02, 0.04, 0.06], interlaced],
  ['frames three times as far apart', interlaced, [0, 0.06, 0.12], interlaced],
  ['equal times', interlaced, [0, 0, 0], interlaced],
  ['a single frame', interlaced, [0], interlaced],
  ['progressive frames', { ...interlaced, isInterlaced: false }, [0, 0.04, 0.08], { framesPerSecond: 50 }],
] as const)('the frame rate of a stream with %s', (_, video, times, expected) => {
  expect(withFrameRate(video, times)).toMatchObject(expected);
});

it.each([
  ['matroska,webm', 50, true],
  ['matroska,webm', 30_000 / 1001, false],
  ['mpegts', 50, false],
])('whether %s with %d frames per second may state the rate of fields', (container, framesPerSecond, may) => {
  expect(mayStateFieldRate({ container }, { framesPerSecond })).toBe(may);
});
