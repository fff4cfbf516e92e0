import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { contracts } from '../../core/api/registry.ts';
import { answerUnrouted } from './app/not-found.ts';

/** Answers requests that match no route. API Gateway sends CORS preflights here too if `$default` catches them. */
export const handler = async (
  event: APIGatewayProxyEventV2,
  context: Context,
): Promise<APIGatewayProxyStructuredResultV2> => {
  const { method, path } = event.requestContext.http;
  return answerUnrouted({ routes: contracts, method, path, requestId: context.awsRequestId });
};
