import { addUnits, type CallCosts, type JobCalls, type JobPhase, noUnits } from '../../../../core/pricing/per-job.ts';
import type { ObservedCall } from './observed-call.ts';
import { tableUnits } from './table-units.ts';

/** A call, and the function that made it. */
export type FunctionCall = { functionName: string; call: ObservedCall };

const roomOfFunction: Readonly<Record<string, JobPhase>> = {
  'media-jobs-local-submission': 'create',
  'media-jobs-local-open-job': 'work',
  'media-jobs-local-transcode': 'work',
  'media-jobs-local-deliver-webhook': 'deliver',
  'media-jobs-local-jobs': 'read',
};

/**
 * The calls of each phase of one job. The write of a key's last use is left out: it happens once a minute, not once a
 * request. Of several heartbeats the first counts.
 */
export function jobCalls(seen: readonly FunctionCall[]): JobCalls {
  const { charge } = tableUnits();
  const nothing = (): CallCosts => ({ calls: {}, units: noUnits });
  const spent: JobCalls = {
    create: nothing(),
    work: nothing(),
    heartbeat: nothing(),
    deliver: nothing(),
    read: nothing(),
  };
  const isHeartbeat = heartbeats();
  for (const { functionName, call } of seen.toSorted((a, b) => a.call.at - b.call.at)) {
    const room = roomOfFunction[functionName];
    // Outside of the worker, an update records the last use of a key.
    if (room === undefined || (call.operation === 'UpdateItem' && room !== 'work')) continue;
    const units = call.service === 'dynamodb' ? charge(call) : noUnits;
    const which = room === 'work' ? isHeartbeat(call) : 'none';
    if (which === 'later') continue;
    const one = spent[which === 'first' ? 'heartbeat' : room];
    const name = `${call.service}.${call.operation}`;
    one.calls[name] = (one.calls[name] ?? 0) + 1;
    one.units = addUnits(one.units, units);
  }
  return spent;
}

/** Separates the heartbeats of a worker from its claim, which is the first read and the first write of the job. */
function heartbeats(): (call: ObservedCall) => 'none' | 'first' | 'later' {
  const counts = { GetItem: 0, PutItem: 0 };
  return ({ operation, input }) => {
    if (operation !== 'GetItem' && operation !== 'PutItem') return 'none';
    if (operation === 'PutItem' && !isProcessing(input)) return 'none';
    if (operation === 'GetItem' && !isOfJob(input)) return 'none';
    counts[operation] += 1;
    return counts[operation] === 1 ? 'none' : counts[operation] === 2 ? 'first' : 'later';
  };
}

type Sent = { Item?: { state?: { S?: string } }; Key?: { sk?: { S?: string } } };

function isProcessing(input: ObservedCall['input']): boolean {
  return (input as Sent | undefined)?.Item?.state?.S === 'processing';
}

function isOfJob(input: ObservedCall['input']): boolean {
  return (input as Sent | undefined)?.Key?.sk?.S?.startsWith('JOB#') === true;
}
