import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { AppError } from '../../../core/errors.ts';
import { errorResponse } from '../../runtime/http/response.ts';

type Unrouted = {
  routes: readonly { method: string; path: string }[];
  method: string;
  path: string;
  requestId: string;
};

/** 405 with `Allow` for a path that other methods have, 204 for a preflight, 404 for any other path. */
export function answerUnrouted({
  routes,
  method,
  path,
  requestId,
}: Unrouted): APIGatewayProxyStructuredResultV2 {
  if (method === 'OPTIONS') return { statusCode: 204 };
  const allowed = routes.filter((route) => matches(route.path, path)).map((route) => route.method);
  // A path with an encoded slash comes decoded: it looks like that of a route which the gateway did not take it for.
  if (allowed.length === 0 || allowed.includes(method)) {
    return errorResponse(new AppError('NOT_FOUND', 'There is nothing at this path.'), requestId);
  }
  const allow = [...new Set(allowed)].sort().join(', ');
  const refusal = new AppError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`);
  const answer = errorResponse(refusal, requestId);
  return { ...answer, headers: { ...answer.headers, allow } };
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const found = path.split('/');
  return (
    wanted.length === found.length &&
    wanted.every((part, index) => part === found[index] || (part.startsWith('{') && found[index] !== ''))
  );
}
