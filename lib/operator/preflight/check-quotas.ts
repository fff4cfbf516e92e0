import { poolTask } from '../../../core/pricing/fargate-computer.ts';
import { divideCapacity, isReserved } from '../../settings/capacity.ts';
import type { FargateSettings } from '../../settings/fargate.ts';
import { chunkingOf } from '../../settings/owner-limits.ts';
import { burstOf } from '../../settings/requests.ts';
import type { Settings } from '../../settings/settings.ts';
import { newAccountMemoryMb } from '../../settings/workers.ts';
import type { Finding } from './finding.ts';
import type { Quotas } from './read-quotas.ts';

const defaultConcurrency = 1000;

export function checkQuotas(settings: Settings, quotas: Quotas): Finding[] {
  const { requestsPerSecond } = settings;
  return [
    concurrency(settings, quotas),
    dividedCapacity(settings),
    ...fewExecutions(quotas),
    memory(settings, quotas),
    requireQuota('API requests per second', requestsPerSecond, {
      quota: quotas.requestsPerSecond,
      raise: '"Throttle rate" of Amazon API Gateway, or lower requestsPerSecond',
    }),
    requireQuota('Concurrent API requests', burstOf(requestsPerSecond), {
      quota: quotas.requestBurst,
      raise: '"Throttle burst rate" of Amazon API Gateway, or lower requestsPerSecond',
    }),
    ...(settings.fargate === undefined ? [] : fargateVcpus(settings.fargate, quotas)),
  ];
}

/**
 * The queues bound every worker and the first attempts of webhooks, which may all hang. So the sum is a bound for any
 * number of jobs.
 */
function concurrency(settings: Settings, quotas: Quotas): Finding {
  const { concurrentExecutions = 0, availableExecutions } = quotas;
  const needed = Object.values(divideCapacity(settings)).reduce((sum, executions) => sum + executions, 0);
  const finding = requireQuota('Concurrent executions', needed, {
    quota: availableExecutions,
    found: 'unreserved in the account',
    raise: '"Concurrent executions" of AWS Lambda, or lower capacity',
  });
  if (finding.status !== 'ok' || concurrentExecutions <= settings.capacity) return finding;
  return { ...finding, advice: `${finding.advice}; for more, set capacity to up to ${concurrentExecutions}` };
}

function dividedCapacity(settings: Settings): Finding {
  const { workers, chunks, joins, firstAttempts, others } = divideCapacity(settings);
  const { maxParallelChunks } = chunkingOf(settings);
  const jobs = `${workers} jobs, ${chunks} chunks (${maxParallelChunks} of one job), ${joins} joins`;
  const advice = isReserved(settings)
    ? 'jobs, chunks and joins reserve theirs'
    : 'nothing is reserved: that needs a capacity of 1000';
  return {
    requirement: `At once: ${jobs}, ${firstAttempts} first attempts of webhooks, ${others} of API and others`,
    status: 'ok',
    advice,
  };
}

/** New accounts have ten. The queues leave one to the API, which a run of reconcile or a late webhook takes, too. */
function fewExecutions({ concurrentExecutions }: Quotas): Finding[] {
  if (concurrentExecutions === undefined || concurrentExecutions >= 50) return [];
  const requirement = `Only ${concurrentExecutions} executions at once in this account`;
  const advice = `the API answers 503 while all are taken, and few jobs run at once: npm run deploy:preflight -- --raise-concurrency ${defaultConcurrency} asks AWS for more`;
  return [{ requirement, status: 'warn', advice }];
}

/** No API of AWS returns the memory limit of an account: it is inferred from the concurrency. */
function memory({ transcoder: { memoryMb } }: Settings, { concurrentExecutions = 0 }: Quotas): Finding {
  const requirement = `Memory of a function: ${memoryMb} MB`;
  if (memoryMb <= newAccountMemoryMb) return { requirement, status: 'ok', advice: 'every account allows it' };
  if (concurrentExecutions >= defaultConcurrency) {
    return { requirement, status: 'ok', advice: 'accounts with the usual concurrency allow 10240' };
  }
  return {
    requirement,
    status: 'unknown',
    advice: `new accounts are limited to ${newAccountMemoryMb} MB, which no AWS API returns: ask AWS support, or lower transcoder.memoryMb`,
  };
}

/** For one task of a large job, whose further ones wait, and all tasks of the pool, which are as many as jobs wait for. */
function fargateVcpus({ vcpus, spot, pool }: FargateSettings, quotas: Quotas): Finding[] {
  const ofPool = pool === undefined ? 0 : pool.maxTasks * poolTask.vcpus;
  const findingOf = (capacity: 'Spot' | 'On-Demand', needed: number) =>
    requireQuota(`vCPUs of Fargate${capacity === 'Spot' ? ' Spot' : ''}`, needed, {
      quota: capacity === 'Spot' ? quotas.fargateSpotVcpus : quotas.fargateVcpus,
      found: 'the quota, which all tasks of the account share',
      raise: `"Fargate ${capacity} vCPU resource count" of AWS Fargate, or lower fargate.${pool ? 'pool.maxTasks' : 'vcpus'}`,
    });
  return [
    ...(spot || pool ? [findingOf('Spot', (spot ? vcpus : 0) + ofPool)] : []),
    ...(!spot || pool?.fallback === 'on-demand'
      ? [findingOf('On-Demand', (spot ? 0 : vcpus) + (pool?.fallback === 'on-demand' ? ofPool : 0))]
      : []),
  ];
}

function requireQuota(
  what: string,
  needed: number,
  { quota, raise, found = 'the quota' }: { quota: number | undefined; raise: string; found?: string },
): Finding {
  const requirement = `${what}: ${needed}`;
  if (quota === undefined) {
    return { requirement, status: 'unknown', advice: `AWS did not return the quota: check ${raise}` };
  }
  if (quota >= needed) return { requirement, status: 'ok', advice: `${found}: ${quota}` };
  return { requirement, status: 'raise', advice: `${found}: ${quota}; raise ${raise}` };
}
