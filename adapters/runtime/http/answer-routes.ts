import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract } from '../../../core/api/contract.ts';
import type { ApiContract } from '../../../core/api/registry.ts';

type LambdaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** The handlers of a function: one for each route that the registry has for it, by operationId. */
export type RouteHandlers<Name extends ApiContract['function']> = {
  [C in Extract<ApiContract, { function: Name }> as C['id']]: LambdaHandler & { contract: C };
};

/** The Lambda handler of a function that answers several routes. Each has its own middleware. */
export function answerRoutes<Name extends ApiContract['function']>(handlers: RouteHandlers<Name>): LambdaHandler {
  const routes: (LambdaHandler & { contract: Contract })[] = Object.values(handlers);
  const byKey = new Map(routes.map((route) => [`${route.contract.method} ${route.contract.path}`, route]));
  return (event, context) => {
    const answer = byKey.get(event.routeKey);
    if (answer === undefined) throw new Error(`The function has no route ${event.routeKey}`);
    return answer(event, context);
  };
}
