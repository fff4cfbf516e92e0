import { sumOfParts } from '../../core/pricing/cost-of-job.ts';
import { poolOverhead, poolTask } from '../../core/pricing/fargate-computer.ts';
import { overheadSeconds } from '../../core/pricing/per-job.ts';
import { spotReadOn } from '../../core/pricing/prices.ts';
import { defaultPrices, dollarsOf } from '../../core/pricing/region-prices.ts';
import { recipeCost } from './recipe-forecast.ts';
import { costOfWorkload } from './tables.ts';
import { type Workload, workersOf } from './workload.ts';

/** GB of memory for each vCPU of a task of the pool. */
const gbPerVcpu = poolTask.memoryMb / 1024 / poolTask.vcpus;

/**
 * The cost of a workload in dollars, without fixed monthly costs, and what it assumes of a job: processor seconds of the
 * calibrated machine for a second of media, how much slower a vCPU is, the price of a vCPU of Spot with its 2 GB, and the shares of
 * a task that are idle or repeated.
 */
export function costJson(workload: Workload) {
  const { minutes, minutesPerJob, resolution, recipe, speed } = workload;
  const jobs = minutes / minutesPerJob;
  const breakdown = costOfWorkload(workload);
  const durationSeconds = minutesPerJob * 60;
  const { cpuSeconds, outputBytes } = recipeCost({ resolution, durationSeconds }, recipe);
  const { slowness, architecture, prices = defaultPrices } = workersOf(workload);
  const dollars = dollarsOf(prices);
  const [cpu, memory] =
    architecture === 'arm64'
      ? [dollars.fargateCpuArm, dollars.fargateMemoryArm]
      : [dollars.fargateCpuX86, dollars.fargateMemoryX86];
  const isEconomy = speed === 'economy';
  return {
    usd: {
      total: round(sumOfParts(breakdown) * jobs),
      parts: Object.entries(breakdown).map(([name, usd]) => ({ name, usd: round(usd * jobs) })),
    },
    assumptions: {
      vcpuSecondsPerSecond: round(cpuSeconds / durationSeconds),
      slowness,
      spotUsdPerVcpuHour: round(dollars.fargateSpot * (cpu + gbPerVcpu * memory)),
      spotDate: spotReadOn,
      idle: isEconomy ? poolOverhead.idle : 0,
      repeated: isEconomy ? poolOverhead.repeated : 0,
      startSeconds: isEconomy ? poolOverhead.startSeconds : overheadSeconds,
      outputBytes: Math.round(outputBytes),
    },
  };
}

function round(value: number): number {
  return Number(value.toFixed(6));
}
