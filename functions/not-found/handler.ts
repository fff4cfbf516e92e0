import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { crossOriginFromEnvironment } from '../../adapters/runtime/http/response.ts';
import type { Contract } from '../../core/api/contract.ts';
import { contracts } from '../../core/api/registry.ts';
import { answerUnrouted, matches } from './app.ts';

const routes: readonly Contract[] = contracts;
const crossOriginHeaders = crossOriginFromEnvironment();

/** Answers requests that match no route, and every CORS preflight that API Gateway does not answer itself. */
export const handler = async (
  event: APIGatewayProxyEventV2,
  context: Context,
): Promise<APIGatewayProxyStructuredResultV2> => {
  const { method, path } = event.requestContext.http;
  const answer = answerUnrouted({ routes, method, path, requestId: context.awsRequestId });
  const route = routes.find((each) => matches(each.path, path));
  return { ...answer, headers: { ...answer.headers, ...crossOriginHeaders(route, event) } };
};
