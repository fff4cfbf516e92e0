import type { Settings } from '../settings.ts';
import type { Quotas } from './quotas.ts';

/** One thing that a stage needs of its account: there, to be raised, or not to be known from here. */
export type Finding = { need: string; verdict: 'ok' | 'raise' | 'unknown'; advice: string };

/** Besides the transcoder: the API, deliveries and reconcile of a quiet stage. */
const otherFunctions = 8;
/** AWS keeps so many executions that nobody can reserve. */
const unreservable = 100;
/** Lambda's limit of memory in accounts that have not been raised yet; no interface of AWS tells it. */
const newAccountMemoryMb = 3008;
const usualConcurrency = 1000;

/** Compares what a stage asks for with what its account may do. */
export function judgeQuotas(settings: Settings, quotas: Quotas): Finding[] {
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

function concurrency({ transcoder }: Settings, { concurrentExecutions }: Quotas): Finding {
  const { maxConcurrency, reservedConcurrency } = transcoder;
  const needed =
    reservedConcurrency === undefined ? maxConcurrency + otherFunctions : reservedConcurrency + unreservable;
  const setting = reservedConcurrency === undefined ? 'maxConcurrency' : 'reservedConcurrency';
  return atLeast('Functions at the same time', needed, {
    quota: concurrentExecutions,
    raise: `"Concurrent executions" of AWS Lambda, or lower transcoder.${setting}`,
  });
}

function memory({ transcoder: { memoryMb } }: Settings, { concurrentExecutions = 0 }: Quotas): Finding {
  const need = `Memory of a function: ${memoryMb} MB`;
  if (memoryMb <= newAccountMemoryMb) return { need, verdict: 'ok', advice: 'every account has it' };
  if (concurrentExecutions >= usualConcurrency) {
    return { need, verdict: 'ok', advice: 'an account with the usual concurrency may have 10240' };
  }
  return {
    need,
    verdict: 'unknown',
    advice: `new accounts are held to ${newAccountMemoryMb} MB, which AWS does not tell: ask support, or lower transcoder.memoryMb`,
  };
}

function atLeast(
  what: string,
  needed: number,
  { quota, raise }: { quota: number | undefined; raise: string },
): Finding {
  const need = `${what}: ${needed}`;
  if (quota === undefined) return { need, verdict: 'unknown', advice: 'AWS did not tell the quota' };
  if (quota >= needed) return { need, verdict: 'ok', advice: `the quota is ${quota}` };
  return { need, verdict: 'raise', advice: `the quota is ${quota}: raise ${raise}` };
}
