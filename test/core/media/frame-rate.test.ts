import { expect, it } from 'vitest';
import { constantRate, exactRate } from '../../../core/media/frame-rate.ts';

it.each([
  [25, '25/1'],
  [29.97, '30000/1001'],
  [23.976, '24000/1001'],
  [59.94006, '60000/1001'],
  [29.87, '30/1'],
  [12.5, '12500/1000'],
  [0.01, '1/1'],
])('a measured rate of %d frames a second is meant to be %s', (measured, exact) => {
  expect(constantRate(measured).exact).toBe(exact);
});

it.each([
  [30, '30000/1000'],
  [29.9, '29900/1000'],
  [59.94, '60000/1001'],
])('a rate of %d that was asked for is %s', (asked, exact) => {
  expect(exactRate(asked).exact).toBe(exact);
});
