import { arn, functionNameOf } from '../aws-names.ts';
import type { EventBuses } from '../events.ts';
import type { Functions } from '../lambda/functions.ts';
import type { AccessControl } from './access-control.ts';
import type { Principal } from './access-request.ts';

/** A call inside the stage that the policies of the template do not allow. */
export class AccessDeniedError extends Error {
  override readonly name = 'AccessDeniedException';
}

/** Who invokes a function; a service names the resource for which it does. */
export type Invoker = Principal & { sourceArn?: string };

/** The same functions, invoked by one principal: `lambda:InvokeFunction` has to be allowed by its role or by the function. */
export function functionsInvokedBy(
  invoker: Invoker,
  functions: Functions,
  control: AccessControl,
): Functions {
  const { sourceArn } = invoker;
  return {
    ...functions,
    async invoke(nameOrArn, event, options) {
      const request = {
        action: 'lambda:InvokeFunction',
        resourceArn: arn('lambda', `function:${functionNameOf(nameOrArn)}`),
        ...(sourceArn === undefined ? {} : { context: { 'aws:SourceArn': sourceArn } }),
      };
      const denial = await control.check(invoker, [request]);
      if (denial !== undefined) throw new AccessDeniedError(denial.message);
      return functions.invoke(nameOrArn, event, options);
    },
  };
}

/** Puts events on the buses for one role: `events:PutEvents` has to be allowed. */
export function publishAs(roleArn: string, events: EventBuses, control: AccessControl) {
  return async (event: Parameters<EventBuses['publish']>[0]): Promise<string> => {
    const request = { action: 'events:PutEvents', resourceArn: arn('events', `event-bus/${event.busName}`) };
    const denial = await control.check({ roleArn }, [request]);
    if (denial !== undefined) throw new AccessDeniedError(denial.message);
    return events.publish(event);
  };
}
