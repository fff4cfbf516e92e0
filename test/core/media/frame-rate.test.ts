import { expect, it } from 'vitest';
import { exactRate, nearestConstantRate, signalledFps } from '../../../core/media/frame-rate.ts';

it.each([
  [25, '25/1'],
  [29.97, '30000/1001'],
  [23.976, '24000/1001'],
  [59.94006, '60000/1001'],
  [29.87, '30/1'],
  [12.5, '12500/1000'],
  [0.01, '1/1'],
])('a measured rate of %d frames a second is meant to be %s', (measured, exact) => {
  expect(nearestConstantRate(measured).exact).toBe(exact);
});

it.each([
  [30, '30000/1000'],
  [29.9, '29900/1000'],
  [59.94, '60000/1001'],
])('a rate of %d that was asked for is %s', (asked, exact) => {
  expect(exactRate(asked).exact).toBe(exact);
});

it.each([
  ['a constant rate', 25, 25, undefined],
  ['fields, each of which has a time', 25, 50, '25/1'],
  ["a phone's rate, which varies a little", 29.87, 120, '30/1'],
  ['a recording of a browser, which does not say', undefined, 1000, '60/1'],
  ['a screen on which little moves', 4.2, 1000, '60/1'],
  ['one on which nothing is quick', 4.2, 30, undefined],
  ['a still picture', undefined, undefined, undefined],
])('of %s an encoder is told what decoders can do', (_, framesPerSecond, baseFramesPerSecond, told) => {
  const rates = {
    ...(framesPerSecond && { framesPerSecond }),
    ...(baseFramesPerSecond && { baseFramesPerSecond }),
  };
  expect(signalledFps(rates)).toBe(told);
});
