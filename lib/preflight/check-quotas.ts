import type { Settings } from '../settings/settings.ts';
import type { Quotas } from './read-quotas.ts';

/** One requirement of a stage on its account: fulfilled, to be raised, or unknown. */
export type Finding = { requirement: string; status: 'ok' | 'raise' | 'unknown'; advice: string };

/** Functions besides the encoders on an idle stage: API, deliveries and reconcile. */
const otherFunctions = 4;
/** Concurrency that Lambda keeps unreserved. */
const minUnreserved = 100;
/** Lambda's memory limit in new accounts. No AWS API returns it. */
const newAccountMemoryMb = 3008;
const defaultConcurrency = 1000;

/** Compares the requirements of a stage with the quotas of its account. */
export function checkQuotas(settings: Settings, quotas: Quotas): Finding[] {
  const { throttling } = settings;
  return [
    concurrency(settings, quotas),
    memory(settings, quotas),
    requireQuota('API requests per second', throttling.requestsPerSecond, {
      quota: quotas.requestsPerSecond,
      raise: '"Throttle rate" of Amazon API Gateway, or lower throttling.requestsPerSecond',
    }),
    requireQuota('Concurrent API requests', throttling.burst, {
      quota: quotas.requestBurst,
      raise: '"Throttle burst rate" of Amazon API Gateway, or lower throttling.burst',
    }),
  ];
}

/** Counts one chunked job only: throttled chunks of further jobs are retried. */
function concurrency({ transcoder, parallel }: Settings, { concurrentExecutions }: Quotas): Finding {
  const encoders = [
    { name: 'transcoder', concurrency: ['maxConcurrency', transcoder.maxConcurrency], ...transcoder },
    { name: 'parallel', concurrency: ['maxParallelChunks', parallel.maxParallelChunks], ...parallel },
  ] as const;
  const reserved = encoders.reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, 0);
  const others = encoders
    .filter(({ reservedConcurrency }) => reservedConcurrency === undefined)
    .reduce((sum, { concurrency: [, max] }) => sum + max, otherFunctions);
  const settings = encoders.map(
    ({ name, concurrency: [setting], reservedConcurrency }) =>
      `${name}.${reservedConcurrency === undefined ? setting : 'reservedConcurrency'}`,
  );
  const needed = reserved === 0 ? others : reserved + Math.max(minUnreserved, others);
  return requireQuota('Concurrent functions', needed, {
    quota: concurrentExecutions,
    raise: `"Concurrent executions" of AWS Lambda, or lower ${settings.join(' or ')}`,
  });
}

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

function requireQuota(
  what: string,
  needed: number,
  { quota, raise }: { quota: number | undefined; raise: string },
): Finding {
  const requirement = `${what}: ${needed}`;
  if (quota === undefined) return { requirement, status: 'unknown', advice: 'AWS did not return the quota' };
  if (quota >= needed) return { requirement, status: 'ok', advice: `the quota is ${quota}` };
  return { requirement, status: 'raise', advice: `the quota is ${quota}: raise ${raise}` };
}
