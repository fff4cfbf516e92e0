import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Principal } from '../../../core/access/principal.ts';
import type { Contract, ContractInput } from '../../../core/api/contract.ts';
import { AppError } from '../../../core/errors.ts';
import { logger } from '../logger.ts';
import { type Authenticate, authenticateFromEnvironment } from './authenticate.ts';
import { errorAnswer, toAppError } from './error-answer.ts';
import { readRequest } from './request.ts';

export type RouteRequest<C extends Contract> = ContractInput<C> & { principal: Principal };

/** What an app answers: one of the statuses of its contract, and a body that fits that status's schema. */
export type RouteAnswer = { status: number; body?: unknown; headers?: Record<string, string> };

export type RouteApp<C extends Contract> = (request: RouteRequest<C>) => Promise<RouteAnswer>;

/** The Lambda handler of one route: authentication, the checks of its contract, the app, and its answer or error. */
export function route<const C extends Contract>(
  contract: C,
  app: RouteApp<C>,
  authenticate: Authenticate = authenticateFromEnvironment(),
) {
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Error, Context>()
    .before(({ event, context }) => {
      logger.resetKeys();
      logger.appendKeys({ requestId: context.awsRequestId, route: `${contract.method} ${contract.path}` });
      event.headers ??= {};
    })
    .onError(({ error, context }) => {
      const known = toAppError(error);
      if (known.code === 'INTERNAL_ERROR' || known.code === 'UNAVAILABLE') logger.error(known.message, known);
      return errorAnswer(known, context.awsRequestId);
    })
    .handler(async (event) => {
      const principal = await authenticate(event.headers);
      if (!contract.callers.includes(principal.caller)) {
        throw new AppError('FORBIDDEN', 'An API key may not do this: sign in to the dashboard.');
      }
      const work = app({ ...readRequest(contract, event), principal });
      const [answer] = await Promise.all([work, principal.noted?.catch(noteFailed)]);
      return serialise(contract, answer);
    });
}

/** Writes an answer from its schema, which leaves out whatever the contract does not name. */
function serialise(
  contract: Contract,
  { status, body, headers }: RouteAnswer,
): APIGatewayProxyStructuredResultV2 {
  const schema = contract.responses[status]?.schema;
  if (schema === undefined) return { statusCode: status, headers: headers ?? {} };
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(schema.parse(body)),
  };
}

function noteFailed(cause: unknown): void {
  logger.warn('The last use of a key could not be noted', { cause: String(cause) });
}
