import type { RetryStrategyV2 } from '@smithy/types';
import { outageRetries } from '../../../adapters/runtime/clients/client-settings.ts';
import type { InvocationLifetime } from './invocation-lifetime.ts';
import type { Call } from './invocation-types.ts';
import type { World } from './world.ts';

/** An error of a service or of the network: it is unknown whether the call took effect. */
export class ServiceError extends Error {}

/** The error of a service that is down, as an AWS client throws it. */
class OutageError extends ServiceError {
  readonly $metadata = { httpStatusCode: 503 };
  override cause: undefined;
}

/** The functions whose clients outlast an outage. */
const patientApps = ['transcode', 'encode-chunk', 'join-chunks', 'fargate-task', 'pool-task', 'deliver-webhook'];

/** The calls of an invocation: each may be late, lost or repeated, or may kill its caller. */
export function faultyCalls(world: World, app: string, life: Omit<InvocationLifetime<never>, 'end'>): Call {
  const { scheduler, plan, random } = world;
  let made = 0;
  let awaited = 0;
  const attempt: Call = (effect, perform, { jobId, instead, once } = {}) => {
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
      const FaultError = fault === 'outage' ? OutageError : ServiceError;
      let answer = instead ?? (() => Promise.reject(new FaultError(`${effect}: ${fault}`)));
      if (fault !== 'fail' && fault !== 'outage') {
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
  const deadline = () => (patientApps.includes(app) ? Number.POSITIVE_INFINITY : 0);
  const clients = new Map<string, RetryStrategyV2>();
  return async (effect, ...rest) => {
    const [service = ''] = effect.split('.');
    const client = clients.get(service) ?? outageRetries({ now: scheduler.now, random: random.next, deadline });
    clients.set(service, client);
    let token = await client.acquireInitialRetryToken('');
    for (;;) {
      try {
        const answer = await attempt(effect, ...rest);
        client.recordSuccess(token);
        return answer;
      } catch (error) {
        if (!(error instanceof OutageError)) throw error;
        token = await client.refreshRetryTokenForRetry(token, { error, errorType: 'SERVER_ERROR' });
        const resumesAt = scheduler.now() + token.getRetryDelay();
        await new Promise<void>((resolve) => life.wakeAt(resumesAt, resolve));
      }
    }
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
