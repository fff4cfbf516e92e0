import type { ApiContract } from '../../../core/api/registry.ts';
import type { ContractOf, LambdaHandler } from './route.ts';

/** Loads the bundle that answers a route. */
type LoadPart<Id extends string> = () => Promise<{ handler: LambdaHandler & { handlers: Record<Id, unknown> } }>;

/** The Lambda handler of a function of several bundles: a cold start loads only the one that answers its request. */
export function answerOnDemand<Name extends ApiContract['function']>(
  parts: {
    [C in ContractOf<Name> as `${C['method']} ${C['path']}`]: LoadPart<C['id']>;
  },
): LambdaHandler {
  const loadOf = new Map<string, LoadPart<string>>(Object.entries(parts));
  return async (event, context) => {
    const load = loadOf.get(event.routeKey);
    if (load === undefined) throw new Error(`The function has no route ${event.routeKey}`);
    return (await load()).handler(event, context);
  };
}
