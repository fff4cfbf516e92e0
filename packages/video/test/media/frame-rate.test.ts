import { expect, it } from 'vitest';
import { exactRate, nearestConstantRate, signalledFps, signalledMaxFps } from '../../src/media/frame-rate.ts';

it.each([
  [25, '25/1'],
  [29.97, '30000/1001'],
  [23.976, '24000/1001'],
  [59.94006, '60000/1001'],
  [29.87, '30/1'],
  [12.5, '12500/1000'],
  [0.01, '1/1'],
])('a measured rate of %d fps becomes %s', (measured, exact) => {
  expect(nearestConstantRate(measured).exact).toBe(exact);
});

it.each([
  [30, '30000/1000'],
  [29.9, '29900/1000'],
  [59.94, '60000/1001'],
])('a requested rate of %d fps becomes %s', (requested, exact) => expect(exactRate(requested).exact).toBe(exact));

it.each([
  ['a constant rate', 25, 25, undefined],
  ['fields with timestamps of their own', 25, 50, '25/1'],
  ["a phone's rate, which varies a little", 29.87, 120, '30/1'],
  ['a recording of a browser, without an average', undefined, 1000, '60/1'],
  ['a screen recording with little motion', 4.2, 1000, '60/1'],
  ['a slow video', 4.2, 30, undefined],
  ['a still image', undefined, undefined, undefined],
  ['a slideshow', 0.2, 0.2, '1/1'],
  ['more frames than SVT-AV1 accepts', 480, 480, '480/1'],
])('an encoder gets a rate that decoders support for %s', (_, framesPerSecond, baseFramesPerSecond, signalled) => {
  const rates = { ...(framesPerSecond && { framesPerSecond }), ...(baseFramesPerSecond && { baseFramesPerSecond }) };
  expect(signalledFps(rates)).toBe(signalled);
});

it.each([
  ['a screen recording with stretches of 60', 22, 60, false, '60/1'],
  ['one whose timestamps count milliseconds', 22, 1000, false, '60/1'],
  ['one with stretches of 30', 22, 30, false, '30/1'],
  ["a phone's rate, which varies a little", 29.87, 30, false, undefined],
  ['a constant rate', 25, 25, false, undefined],
  ['a slideshow', 0.2, 0.2, false, '1/1'],
  ['fields with timestamps of their own', 25, 50, true, '25/1'],
] as const)(
  'x264 gets the rate of the fastest stretch for %s',
  (_, framesPerSecond, baseFramesPerSecond, isInterlaced, signalled) => {
    expect(signalledMaxFps({ framesPerSecond, baseFramesPerSecond, isInterlaced })).toBe(signalled);
  },
);
