import type { Settings } from '../settings/settings.ts';
import type { Quotas } from './quotas.ts';

/** One thing that a stage needs of its account: there, to be raised, or not to be known from here. */
export type Finding = { requirement: string; status: 'ok' | 'raise' | 'unknown'; advice: string };

/** Besides the encoders: the API, deliveries and reconcile of a quiet stage. */
const otherFunctions = 4;
/** AWS keeps so many executions that nobody can reserve. */
const unreservable = 100;
/** Lambda's limit of memory in accounts that have not been raised yet; no interface of AWS tells it. */
const newAccountMemoryMb = 3008;
const usualConcurrency = 1000;

/** Compares what a stage asks for with what its account may do. */
export function checkQuotas(settings: Settings, quotas: Quotas): Finding[] {
  const { throttling } = settings;
  return [
    concurrency(settings, quotas),
    memory(settings, quotas),
    atLeast('API requests per second', throttling.requestsPerSecond, {
      quota: quotas.requestsPerSecond,
      raise: '"Throttle rate" of Amazon API Gateway, or lower throttling.requestsPerSecond',
    }),
    atLeast('API requests at once', throttling.burst, {
      quota: quotas.requestBurst,
      raise: '"Throttle burst rate" of Amazon API Gateway, or lower throttling.burst',
    }),
  ];
}

/** Jobs in parts beyond the first are not counted: the parts of theirs that are turned away come again. */
function concurrency({ transcoder, parallel }: Settings, { concurrentExecutions }: Quotas): Finding {
  const encoders = [
    { name: 'transcoder', atOnce: ['maxConcurrency', transcoder.maxConcurrency], ...transcoder },
    { name: 'parallel', atOnce: ['maxParallelChunks', parallel.maxParallelChunks], ...parallel },
  ] as const;
  const reserved = encoders.reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, 0);
  const others = encoders
    .filter(({ reservedConcurrency }) => reservedConcurrency === undefined)
    .reduce((sum, { atOnce: [, most] }) => sum + most, otherFunctions);
  const settings = encoders.map(
    ({ name, atOnce: [setting], reservedConcurrency }) =>
      `${name}.${reservedConcurrency === undefined ? setting : 'reservedConcurrency'}`,
  );
  const needed = reserved === 0 ? others : reserved + Math.max(unreservable, others);
  return atLeast('Functions at the same time', needed, {
    quota: concurrentExecutions,
    raise: `"Concurrent executions" of AWS Lambda, or lower ${settings.join(' or ')}`,
  });
}

function memory({ transcoder: { memoryMb } }: Settings, { concurrentExecutions = 0 }: Quotas): Finding {
  const requirement = `Memory of a function: ${memoryMb} MB`;
  if (memoryMb <= newAccountMemoryMb) return { requirement, status: 'ok', advice: 'every account has it' };
  if (concurrentExecutions >= usualConcurrency) {
    return { requirement, status: 'ok', advice: 'an account with the usual concurrency may have 10240' };
  }
  return {
    requirement,
    status: 'unknown',
    advice: `new accounts are held to ${newAccountMemoryMb} MB, which AWS does not tell: ask support, or lower transcoder.memoryMb`,
  };
}

function atLeast(
  what: string,
  needed: number,
  { quota, raise }: { quota: number | undefined; raise: string },
): Finding {
  const requirement = `${what}: ${needed}`;
  if (quota === undefined) return { requirement, status: 'unknown', advice: 'AWS did not tell the quota' };
  if (quota >= needed) return { requirement, status: 'ok', advice: `the quota is ${quota}` };
  return { requirement, status: 'raise', advice: `the quota is ${quota}: raise ${raise}` };
}
