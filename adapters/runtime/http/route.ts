import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import * as z from 'zod';
import type { Principal } from '../../../core/access/authentication.ts';
import { assertNotErased } from '../../../core/access/erasure.ts';
import { hasOriginSecret } from '../../../core/access/origin-secret.ts';
import { type Contract, type ContractResult, isRefusedDuringErasure } from '../../../core/api/contract.ts';
import type { ApiContract } from '../../../core/api/registry.ts';
import { AppError } from '../../../core/errors.ts';
import { erasureRequests } from '../../dynamodb/erasures.ts';
import { dynamo } from '../clients/dynamo.ts';
import { readEnv } from '../env.ts';
import { logger, startInvocationLog } from '../logger.ts';
import {
  type Authenticate,
  auditFromEnvironment,
  authenticateFromEnvironment,
  type CountRequest,
  type RecordAudit,
  rateLimitFromEnvironment,
} from './authenticate.ts';
import { type ParsedRequest, parseRequest } from './parse-request.ts';
import { crossOrigin, errorResponse, serializeResponse, toAppError } from './response.ts';

export type RouteRequest<C extends Contract> = ParsedRequest<C> & { principal: Principal };

export type RouteApp<C extends Contract> = (request: RouteRequest<C>) => Promise<ContractResult<C>>;

export type PublicRouteApp<C extends Contract> = (request: ParsedRequest<C>) => Promise<ContractResult<C>>;

type Middleware = MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Error, Context>;

type Handle = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** The Lambda handler of a route: authenticates, counts and parses the request, runs the app and serializes its result or error. */
export function route<const C extends Contract>(
  contract: C,
  app: RouteApp<NoInfer<C>>,
  authenticate: Authenticate = authenticateFromEnvironment(),
  countRequest: CountRequest | undefined = rateLimitFromEnvironment(),
  audit: RecordAudit | undefined = auditFromEnvironment(contract),
  assertMayChange: AssertMayChange | undefined = erasureCheckFromEnvironment(contract),
) {
  return lambdaHandler(contract, async (event) => {
    const { principal, recordUse } = await authenticate(event.headers);
    await countRequest?.(event.headers, contract.countsAs);
    authorize(contract, principal);
    await assertMayChange?.(principal);
    const useRecorded = recordUse?.().catch((error: unknown) =>
      logger.warn('The last use of a key could not be recorded', { error }),
    );
    try {
      const request = parseRequest(contract, event);
      const result = await app({ ...request, principal });
      await audit?.({ principal, params: request.params, answer: result.body });
      return serializeResponse(contract, result);
    } finally {
      // Lambda freezes the function once it has responded: pending work would stall.
      await useRecorded;
    }
  });
}

export function publicRoute<const C extends Contract>(
  contract: C,
  app: PublicRouteApp<NoInfer<C>>,
  ...middlewares: Middleware[]
) {
  const handle: Handle = async (event) => serializeResponse(contract, await app(parseRequest(contract, event)));
  return lambdaHandler(contract, handle, middlewares);
}

function lambdaHandler<const C extends Contract>(contract: C, handle: Handle, middlewares: Middleware[] = []) {
  const { method, path } = contract;
  const assertFromEdge = edgeCheckFromEnvironment();
  const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Error, Context>({
    // Answers before Lambda's timeout, which API Gateway would turn into a 500 of its own shape.
    timeoutEarlyInMillis: 500,
    timeoutEarlyResponse: () => {
      throw new AppError('UNAVAILABLE', 'The request took too long; try again shortly.');
    },
  })
    .use(crossOrigin(contract))
    .use(middlewares)
    .before(({ event, context }) => {
      const jobId = path.includes('/jobs/{id}') ? event.pathParameters?.id : undefined;
      startInvocationLog(context, { jobId, route: `${method} ${path}` });
      event.headers ??= {};
      assertFromEdge(event.headers);
    })
    .onError((request) => {
      const { error, context } = request;
      const appError = toAppError(error);
      if (appError.code === 'INTERNAL_ERROR' || appError.code === 'UNAVAILABLE')
        logger.error(appError.message, appError);
      request.response = errorResponse(appError, context.awsRequestId);
    })
    .handler(handle);
  return Object.assign(handler, { contract });
}

type AssertMayChange = (principal: Principal) => Promise<void>;

/** Rejects changes by the sessions of an owner that is being erased; its keys are revoked. Throws AppError OWNER_BEING_ERASED. */
function erasureCheckFromEnvironment(contract: Contract): AssertMayChange | undefined {
  if (!isRefusedDuringErasure(contract)) return undefined;
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  const stored = erasureRequests(dynamo, TABLE_NAME);
  return async ({ caller, ownerId }) => {
    if (caller === 'session') await assertNotErased(stored, ownerId);
  };
}

const edgeEnv = z.object({ ORIGIN_SECRET: z.string().optional() });

/**
 * Rejects requests that did not come through the edge of the stage: its firewall would not apply to them. Accepts all
 * requests on a stage without an edge. Throws AppError FORBIDDEN.
 */
function edgeCheckFromEnvironment(): (headers: Record<string, string | undefined>) => void {
  const { ORIGIN_SECRET } = readEnv(edgeEnv);
  if (ORIGIN_SECRET === undefined) return () => {};
  return (headers) => {
    if (hasOriginSecret(headers, ORIGIN_SECRET)) return;
    throw new AppError('FORBIDDEN', 'This address is not public: use the public address of the service.');
  };
}

type LambdaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

type ContractOf<Name extends ApiContract['function']> = Extract<ApiContract, { function: Name }>;

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

/** Checks that a route admits this kind of caller and, for a key, its scopes. Throws AppError FORBIDDEN. */
function authorize({ callers, scope }: Pick<Contract, 'callers' | 'scope'>, principal: Principal): void {
  if (principal.caller === 'session') {
    if (!callers.includes('session')) throw new AppError('FORBIDDEN', 'Only an API key can do this.');
    return;
  }
  if (!callers.includes('key') || scope === undefined) {
    throw new AppError('FORBIDDEN', 'An API key cannot do this: sign in to the dashboard.');
  }
  if (scope === 'any' || principal.key.scopes.includes(scope)) return;
  throw new AppError('FORBIDDEN', `This API key does not have the scope ${scope}.`, {
    details: [{ path: 'scope', message: scope }],
  });
}

/** Loads the bundle that answers a route. */
type LoadPart<Id extends string> = () => Promise<{ handler: LambdaHandler & { handlers: Record<Id, unknown> } }>;

/** The Lambda handler of a function of several bundles: a cold start loads only the one that answers its request. */
export function answerOnDemand<Name extends ApiContract['function']>(
  parts: { [C in ContractOf<Name> as `${C['method']} ${C['path']}`]: LoadPart<C['id']> },
): LambdaHandler {
  const loadOf = new Map<string, LoadPart<string>>(Object.entries(parts));
  return async (event, context) => {
    const load = loadOf.get(event.routeKey);
    if (load === undefined) throw new Error(`The function has no route ${event.routeKey}`);
    return (await load()).handler(event, context);
  };
}
