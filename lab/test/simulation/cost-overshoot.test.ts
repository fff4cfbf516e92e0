import { expect, it } from 'vitest';
import { isTerminal, type TerminalJob } from '../../../core/jobs/record.ts';
import { nanoUsdOf, usdOf } from '../../../core/jobs/usage.ts';
import { costOfJob, sumOfParts } from '../../../core/pricing/cost-of-job.ts';
import { aJobScript } from '../../simulation/workload/job-script.ts';
import { runWorld } from '../../simulation/workload/run-world.ts';
import { noFaults } from '../../simulation/world/fault.ts';
import { maxRunningChunks } from '../../simulation/world/owner-limits.ts';

// @module-tag jobs

/** A task records its time after six seconds, the others read it after two, and ffmpeg takes a moment to stop. */
const maxSecondsOfTask = 10;

const stage = { architecture: 'arm64', memoryMb: 3008, retentionDays: 7 } as const;

function usdOfSeconds(workerSeconds: number): number {
  const nothing = {
    attempts: 0,
    tasks: 0,
    executions: 0,
    outputs: 0,
    outputBytes: 0,
    reads: 0,
    downloads: 0,
  };
  const cost = (seconds: number) => sumOfParts(costOfJob({ ...nothing, workerSeconds: seconds }, stage));
  return cost(workerSeconds) - cost(0);
}

/** A job of three chunks, of which two are encoded at the same time, as it ended. */
async function endOf(encodeMs: number, maxCostUsd: number): Promise<TerminalJob> {
  const scripts = [aJobScript({ input: 'long', encodeMs, maxCostUsd })];
  const { entries } = await runWorld({ plan: noFaults(), scripts });
  const ended = entries.flatMap((entry) => (entry.kind === 'written' && isTerminal(entry.after) ? [entry.after] : []));
  const [end] = ended;
  if (end === undefined) throw new Error('The job has not ended');
  return end;
}

it.each([0.001, 0.0013, 0.0016, 0.0019, 0.0022, 0.0026])(
  'tasks stop within ten seconds after a chunked job has cost $%d, however long a chunk takes',
  async (maxCostUsd) => {
    for (const encodeMs of [60_000, 240_000]) {
      const { state, cost = {}, ...end } = await endOf(encodeMs, maxCostUsd);
      expect({ state, ...end }).toMatchObject({ state: 'failed', error: { code: 'COST_LIMIT' } });
      const excess = usdOf(nanoUsdOf(cost)) - maxCostUsd;
      expect(excess).toBeGreaterThan(0);
      expect(excess).toBeLessThan(usdOfSeconds(maxRunningChunks * maxSecondsOfTask));
    }
  },
);
