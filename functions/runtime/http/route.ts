import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Principal } from '../../../core/access/authentication.ts';
import type { Contract, ContractResult } from '../../../core/api/contract.ts';
import { AppError } from '../../../core/errors.ts';
import { logger, startInvocationLog } from '../logger.ts';
import { type Authenticate, authenticateFromEnvironment } from './authenticate.ts';
import { type ParsedRequest, parseRequest } from './parse-request.ts';
import { errorResponse, serializeResponse, toAppError } from './response.ts';

export type RouteRequest<C extends Contract> = ParsedRequest<C> & { principal: Principal };

export type RouteApp<C extends Contract> = (request: RouteRequest<C>) => Promise<ContractResult<C>>;

/** What an app of an open route receives: there is nobody to speak of. */
export type PublicRouteApp<C extends Contract> = (request: ParsedRequest<C>) => Promise<ContractResult<C>>;

type Handle = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** The Lambda handler of one route: authentication, the checks of its contract, the app, and its answer or error. */
export function route<const C extends Contract>(
  contract: C,
  app: RouteApp<NoInfer<C>>,
  authenticate: Authenticate = authenticateFromEnvironment(),
) {
  return chain(contract, async (event) => {
    const { principal, recordUse } = await authenticate(event.headers);
    if (!contract.callers.includes(principal.caller)) {
      throw new AppError('FORBIDDEN', 'An API key may not do this: sign in to the dashboard.');
    }
    const noted = recordUse?.().catch(noteFailed);
    try {
      return serializeResponse(contract, await app({ ...parseRequest(contract, event), principal }));
    } finally {
      // A function freezes once it has answered, and what it left undone with it.
      await noted;
    }
  });
}

/** The Lambda handler of a route that is open to anyone. */
export function publicRoute<const C extends Contract>(contract: C, app: PublicRouteApp<NoInfer<C>>) {
  return chain(contract, async (event) =>
    serializeResponse(contract, await app(parseRequest(contract, event))),
  );
}

function chain({ method, path }: Contract, handle: Handle) {
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Error, Context>({
    // Enough to answer before the platform ends the function, which would be a 500 in the gateway's shape.
    timeoutEarlyInMillis: 500,
    timeoutEarlyResponse: () => {
      throw new AppError('UNAVAILABLE', 'The request took too long; try again shortly.');
    },
  })
    .before(({ event, context }) => {
      const jobId = path.includes('/jobs/{id}') ? event.pathParameters?.id : undefined;
      startInvocationLog(context, { jobId, route: `${method} ${path}` });
      event.headers ??= {};
    })
    .onError(({ error, context }) => {
      const known = toAppError(error);
      if (known.code === 'INTERNAL_ERROR' || known.code === 'UNAVAILABLE') logger.error(known.message, known);
      return errorResponse(known, context.awsRequestId);
    })
    .handler(handle);
}

function noteFailed(cause: unknown): void {
  logger.warn('The last use of a key could not be noted', { error: cause });
}
