import { describe, expect, it } from 'vitest';
import { check, invariants } from '../../simulation/checker/check.ts';
import { tamperedChunks } from '../../simulation/tampered-chunks.ts';
import { tamperedDeliveries, tamperedEndpoints } from '../../simulation/tampered-deliveries.ts';
import { tamperedJobs } from '../../simulation/tampered-jobs.ts';
import { tamperedLimits } from '../../simulation/tampered-limits.ts';
import { tamperedProvider, tamperedUnpublished } from '../../simulation/tampered-provider.ts';
import { tamperedSecondRuns } from '../../simulation/tampered-second-runs.ts';
import { tamperedSpending } from '../../simulation/tampered-spending.ts';
import { anInterruptedJob, tamperedSpot } from '../../simulation/tampered-spot.ts';
import { tamperedSteps } from '../../simulation/tampered-steps.ts';
import { aJobScript, type JobScript } from '../../simulation/workload/job-script.ts';
import { type RunOptions, runWorld } from '../../simulation/workload/run-world.ts';
import { scenarios } from '../../simulation/workload/scenarios.ts';
import { noFaults } from '../../simulation/world/fault.ts';
import type { LogEntry } from '../../simulation/world/log.ts';

/** The true log of one job, with a list request. */
async function aTrueLog(script: Partial<JobScript> = {}, options: Partial<RunOptions> = {}): Promise<LogEntry[]> {
  const scripts = [aJobScript({ steps: [{ what: 'list', afterMs: 60_000 }], ...script })];
  const { entries } = await runWorld({ plan: noFaults(), scripts, ...options });
  return structuredClone([...entries]);
}

const inParts = { input: 'long' } as const;
const inSteps = { input: 'long', isPipeline: true, encodeMs: 40_000 } as const;
const underCap = { keyUsdPerDay: 1 };
const onFargate = { input: 'endless' } as const;
const withEndpoints = { endpoints: scenarios.endpoints.endpoints };
const atProvider = { providerOwners: ['owner-1'] };
const rejected = () => ({
  ...atProvider,
  plan: noFaults(({ effect }) => (effect === 'provider.send' ? 'fail' : undefined)),
});

const tampered = { ...tamperedJobs, ...tamperedDeliveries, ...tamperedLimits };

const brokenBy = (log: LogEntry[]) => check(log).map(({ invariant }) => invariant);

it.each([
  [{}, {}],
  [inParts, {}],
  [inSteps, {}],
  [onFargate, {}],
  [{}, withEndpoints],
  [{}, atProvider],
  [{}, rejected()],
  [underCap, {}],
  [{}, anInterruptedJob()],
])('the checker finds no breach in a true log: %o %o', async (script, options) => {
  expect(check(await aTrueLog(script, options))).toEqual([]);
});

it('every invariant has a log that breaks it', () => {
  const others = [
    ...tamperedChunks,
    ...tamperedSecondRuns,
    ...tamperedProvider,
    ...tamperedUnpublished,
    ...tamperedSpending,
    ...tamperedSteps,
    ...tamperedSpot,
  ];
  const broken = new Set([...Object.keys(tampered), ...others.map(({ name }) => name)]);
  expect([...broken].sort()).toEqual(invariants.map(({ name }) => name).sort());
});

describe('the checker finds the breach of', () => {
  it.each(Object.entries(tampered))('%s', async (name, tamper) => {
    expect(brokenBy(tamper(await aTrueLog()))).toContain(name);
  });

  it.each(tamperedEndpoints())('%s, of a delivery to an endpoint', async (name, tamper) => {
    expect(brokenBy(tamper(await aTrueLog({}, withEndpoints)))).toContain(name);
  });

  it.each([...tamperedChunks, ...tamperedSecondRuns])('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog(inParts)))).toContain(name);
  });

  it.each(tamperedSteps)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog(inSteps)))).toContain(name);
  });

  it.each(tamperedProvider)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog({}, atProvider)))).toContain(name);
  });

  it.each(tamperedSpending)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog(underCap)))).toContain(name);
  });

  it.each(tamperedSpot)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog({}, anInterruptedJob())))).toContain(name);
  });

  it.each(tamperedUnpublished)('$name: $how', async ({ name, tamper }) => {
    expect(brokenBy(tamper(await aTrueLog({}, rejected())))).toContain(name);
  });
});
