import type { InvocationLifetime } from './invocation-lifetime.ts';
import type { Call } from './invocation-types.ts';
import type { World } from './world.ts';

/** An error of a service or of the network: it is unknown whether the call took effect. */
export class ServiceError extends Error {}

/** The calls of an invocation: each may be late, lost or repeated, or may kill its caller. */
export function faultyCalls(world: World, app: string, life: Omit<InvocationLifetime<never>, 'end'>): Call {
  const { scheduler, plan } = world;
  let made = 0;
  let awaited = 0;
  return (effect, perform, { jobId, instead, once } = {}) => {
    if (life.isOver()) return never();
    const decided = world.faultOf({ app, effect, goesOn: made > 0 && awaited === 0 });
    const fault = once && decided === 'duplicate' ? undefined : decided;
    if (fault === 'crash-before') {
      life.die(fault, effect, jobId);
      return never();
    }
    made += 1;
    awaited += 1;
    return new Promise((resolve, reject) => {
      const begun = scheduler.now();
      const latency = fault === 'slow' ? plan.delayMs(fault) : plan.latencyMs(effect);
      const arrives = begun + latency + (fault === 'late' ? plan.delayMs(fault) : 0);
      const answers = begun + latency + plan.latencyMs(effect);
      let answer = instead ?? (() => Promise.reject(new ServiceError(`${effect}: ${fault}`)));
      if (fault !== 'fail') {
        scheduler.at(arrives, () => {
          const performed = settled(perform());
          if (fault === undefined || fault === 'slow' || fault === 'duplicate') answer = () => performed;
          if (fault === 'pause') {
            answer = () => performed;
            life.pause(plan.delayMs(fault));
          }
          if (fault === 'crash-after') life.die(fault, effect, jobId);
        });
      }
      if (fault === 'duplicate') scheduler.at(arrives + plan.delayMs(fault), () => void settled(perform()));
      if (fault !== undefined && fault !== 'crash-after') life.note(fault, effect, jobId);
      life.wakeAt(answers, () => {
        awaited -= 1;
        answer().then(resolve, reject);
      });
    });
  };
}

/** The same promise; its rejection counts as handled. */
function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
