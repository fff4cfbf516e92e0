// @module-tag jobs
import { beforeAll, expect, it } from 'vitest';
import { judgeSpot, runSpot } from '../../simulation/simulate-spot.ts';
import { isEnd, repeat, type Tamper, without } from '../../simulation/tampering.ts';
import type { LogEntry } from '../../simulation/world/log.ts';

let log: LogEntry[];

beforeAll(async () => {
  log = [...(await runSpot({ jobs: 60, seed: 7 }))];
});

it('60 economy jobs lose little by Spot capacity that lasts five minutes on average', () => {
  const { figures, breaches } = judgeSpot(log);
  expect(breaches).toEqual([]);
  expect(figures).toMatchObject({ spotJobs: 60, spotLost: 0, spotEndedTwice: 0 });
  expect(figures.spotInterruptions).toBeGreaterThan(30);
});

it.each<[string, Tamper]>([
  ['no economy job is lost', without(isEnd)],
  ['no economy job ends twice', repeat(isEnd)],
  ['interruptions repeat at most 8 % of the work', without((entry) => entry.kind === 'object-stored')],
])('the simulation notices where this does not hold: %s', (promise, tamper) => {
  expect(judgeSpot(tamper(log)).breaches.map(({ invariant }) => invariant)).toContain(promise);
});
