import { chunkingOf, limitingSettings } from '../settings/chunking.ts';
import type { FargateSettings } from '../settings/fargate.ts';
import { maxFirstAttempts } from '../settings/first-attempts.ts';
import type { Settings } from '../settings/settings.ts';
import {
  maxConcurrentJoins,
  minUnreserved,
  newAccountMemoryMb,
  reservedConcurrency,
} from '../settings/workers.ts';
import type { Finding } from './finding.ts';
import type { Quotas } from './read-quotas.ts';

/** Executions that the queues must leave to the API, whose requests take milliseconds, and to reconcile. */
const apiAndReconcile = 1;
const defaultConcurrency = 1000;

/** Compares the requirements of a stage with the quotas of its account. */
export function checkQuotas(settings: Settings, quotas: Quotas): Finding[] {
  const { throttling } = settings;
  return [
    concurrency(settings, quotas),
    memory(settings, quotas),
    firstAttempts(settings, quotas),
    chunksOfJob(settings),
    requireQuota('API requests per second', throttling.requestsPerSecond, {
      quota: quotas.requestsPerSecond,
      raise: '"Throttle rate" of Amazon API Gateway, or lower throttling.requestsPerSecond',
    }),
    requireQuota('Concurrent API requests', throttling.burst, {
      quota: quotas.requestBurst,
      raise: '"Throttle burst rate" of Amazon API Gateway, or lower throttling.burst',
    }),
    ...(settings.fargate === undefined ? [] : [fargateVcpus(settings.fargate, quotas)]),
  ];
}

/**
 * The queues bound every worker and the first attempts of webhooks, which may all hang. So the sum is a bound for any
 * number of jobs.
 */
function concurrency(settings: Settings, { concurrentExecutions, availableExecutions }: Quotas): Finding {
  const { transcoder, parallel } = settings;
  const joins = maxConcurrentJoins(parallel);
  const workers = transcoder.maxConcurrency + parallel.maxConcurrency + joins;
  const reservations = reservedConcurrency(settings);
  const reserved = Object.values(reservations).reduce<number>((sum, each = 0) => sum + each, 0);
  const others = maxFirstAttempts(settings) + apiAndReconcile;
  const unreserved =
    others +
    (reservations.transcode === undefined ? transcoder.maxConcurrency : 0) +
    (reservations.encodeChunk === undefined ? parallel.maxConcurrency : 0) +
    (reservations.joinChunks === undefined ? joins : 0);
  const needed = reserved === 0 ? workers + others : reserved + Math.max(minUnreserved, unreserved);
  const names = [
    transcoder.reservedConcurrency === undefined
      ? 'transcoder.maxConcurrency'
      : 'transcoder.reservedConcurrency',
    parallel.reservedConcurrency === undefined ? 'parallel.maxConcurrency' : 'parallel.reservedConcurrency',
    ...(settings.accountConcurrency > (concurrentExecutions ?? settings.accountConcurrency)
      ? ['accountConcurrency']
      : []),
  ];
  return requireQuota('Concurrent functions', needed, {
    quota: availableExecutions,
    found: 'unreserved in the account',
    raise: `"Concurrent executions" of AWS Lambda, or lower ${names.join(' or ')}`,
  });
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

/** Any number is enough to deploy, but an operator may forget the setting after the quota was raised. */
function firstAttempts({ accountConcurrency }: Settings, { concurrentExecutions = 0 }: Quotas): Finding {
  const requirement = `First attempts of webhooks at once: ${maxFirstAttempts({ accountConcurrency })}`;
  const share = `by accountConcurrency ${accountConcurrency}`;
  if (concurrentExecutions <= accountConcurrency) return { requirement, status: 'ok', advice: share };
  const possible = maxFirstAttempts({ accountConcurrency: concurrentExecutions });
  const advice = `${share}; the quota of the account is ${concurrentExecutions}: set accountConcurrency to it for ${possible}`;
  return { requirement, status: 'ok', advice };
}

function chunksOfJob(settings: Settings): Finding {
  const { maxParallelChunks } = chunkingOf(settings);
  const advice = `limited by ${limitingSettings(settings).join(' and ')}`;
  return { requirement: `Chunks of one job at once: ${maxParallelChunks}`, status: 'ok', advice };
}

/** For one task: further ones wait until the quota allows them. */
function fargateVcpus({ vcpus, spot }: FargateSettings, quotas: Quotas): Finding {
  return requireQuota(`vCPUs of Fargate${spot ? ' Spot' : ''}`, vcpus, {
    quota: spot ? quotas.fargateSpotVcpus : quotas.fargateVcpus,
    found: 'the quota, which all tasks of the account share',
    raise: `"Fargate ${spot ? 'Spot' : 'On-Demand'} vCPU resource count" of AWS Fargate, or lower fargate.vcpus`,
  });
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
