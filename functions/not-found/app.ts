import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { defaultHeaders, errorResponse } from '../../adapters/runtime/http/response.ts';
import { AppError } from '../../core/errors.ts';

type Unrouted = {
  routes: readonly { method: string; path: string }[];
  method: string;
  path: string;
  requestId: string;
};

/** Answers 405 with `Allow` for a known path with another method, 204 for a CORS preflight, 404 for any other path. */
export function answerUnrouted({ routes, method, path, requestId }: Unrouted): APIGatewayProxyStructuredResultV2 {
  if (method === 'OPTIONS') return { statusCode: 204, headers: defaultHeaders };
  const matching = routes.filter((route) => matches(route.path, path));
  const exact = matching.filter((route) => route.path === path);
  const allowed = (exact.length > 0 ? exact : matching).map((route) => route.method);
  // API Gateway decodes an encoded slash after routing: such a path looks like a route that did not match.
  if (allowed.length === 0 || allowed.includes(method)) {
    return errorResponse(new AppError('NOT_FOUND', 'There is nothing at this path.'), requestId);
  }
  const allow = [...new Set(allowed)].sort().join(', ');
  const response = errorResponse(new AppError('METHOD_NOT_ALLOWED', `This path supports ${allow}.`), requestId);
  return { ...response, headers: { ...response.headers, allow } };
}

export function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/');
  const actual = path.split('/');
  return (
    expected.length === actual.length &&
    expected.every((segment, index) => segment === actual[index] || (segment.startsWith('{') && actual[index] !== ''))
  );
}
