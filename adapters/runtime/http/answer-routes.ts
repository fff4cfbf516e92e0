import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract } from '../../../core/api/contract.ts';
import type { ApiContract } from '../../../core/api/registry.ts';

export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export type ContractOf<Name extends ApiContract['function']> = Extract<ApiContract, { function: Name }>;

/** Handlers of routes by operationId. */
type RouteHandlers<C extends ApiContract = ApiContract> = {
  [Each in C as Each['id']]: LambdaHandler & { contract: Each };
};

/** The Lambda handler of a function that answers several routes: all that the registry has for it, each with its own middleware. */
export function answerRoutes<Name extends ApiContract['function']>(
  handlers: RouteHandlers<ContractOf<Name>>,
): LambdaHandler {
  return answerPart(handlers as Partial<RouteHandlers>);
}

/** The handler of a bundle that answers some routes of a function. */
export function answerPart<Handlers extends Partial<RouteHandlers>>(
  handlers: Handlers,
): LambdaHandler & { handlers: Handlers } {
  const routes: (LambdaHandler & { contract: Contract })[] = Object.values(handlers);
  const byKey = new Map(routes.map((route) => [keyOf(route.contract), route]));
  return Object.assign<LambdaHandler, { handlers: Handlers }>(
    (event, context) => {
      const route = byKey.get(event.routeKey);
      if (route === undefined) throw new Error(`The function has no route ${event.routeKey}`);
      return route(event, context);
    },
    { handlers },
  );
}

const keyOf = ({ method, path }: Pick<Contract, 'method' | 'path'>) => `${method} ${path}`;
