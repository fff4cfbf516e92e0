import { arn } from '../aws-names.ts';
import type { RoutePlan } from '../template/stage-plan.ts';

export type RouteMatch<Route extends RoutePlan = RoutePlan> = {
  route: Route;
  pathParameters: Record<string, string> | undefined;
};

type Segment = { kind: 'literal' | 'variable' | 'greedy'; text: string };
type Candidate<Route> = { route: Route; method: string; segments: Segment[] };

/**
 * Matches requests to routes as API Gateway does. The most specific path wins, compared segment by segment: literal,
 * then `{variable}`, then `{greedy+}`. A route with the method wins over ANY, and `$default` comes last.
 */
export function routeMatcher<Route extends RoutePlan>(
  routes: readonly Route[],
): (method: string, path: string) => RouteMatch<Route> | undefined {
  const fallback = routes.find(({ key }) => key === '$default');
  const candidates = routes.filter((route) => route !== fallback).map(toCandidate);
  candidates.sort(bySpecificity);
  return (method, path) => {
    const segments = splitPath(path);
    for (const { route, method: candidateMethod, segments: pattern } of candidates) {
      if (candidateMethod !== 'ANY' && candidateMethod !== method) continue;
      const pathParameters = match(pattern, segments);
      if (pathParameters) {
        const variables = Object.keys(pathParameters).length > 0 ? pathParameters : undefined;
        return { route, pathParameters: variables };
      }
    }
    return fallback && { route: fallback, pathParameters: undefined };
  };
}

function toCandidate<Route extends RoutePlan>(route: Route): Candidate<Route> {
  const [method = '', path = ''] = route.key.split(' ');
  const segments = splitPath(path).map((text): Segment => {
    const [, name, greedy] = /^\{([^}+]+)(\+?)\}$/.exec(text) ?? [];
    if (name === undefined) return { kind: 'literal', text };
    return { kind: greedy ? 'greedy' : 'variable', text: name };
  });
  return { route, method, segments };
}

const rank = { literal: 0, variable: 1, greedy: 2 };

/** Also orders paths of different lengths: a sort needs an order of all candidates. */
function bySpecificity(left: Candidate<unknown>, right: Candidate<unknown>): number {
  const byPath = ranksOf(left).localeCompare(ranksOf(right));
  return byPath || Number(left.method === 'ANY') - Number(right.method === 'ANY');
}

/** A digit for each segment of the path. */
function ranksOf({ segments }: Candidate<unknown>): string {
  return segments.map(({ kind }) => rank[kind]).join('');
}

function splitPath(path: string): string[] {
  return path.split('/').slice(1);
}

function match(pattern: readonly Segment[], segments: readonly string[]): Record<string, string> | undefined {
  const parameters: [string, string][] = [];
  for (const [index, { kind, text }] of pattern.entries()) {
    if (kind === 'greedy' && index < segments.length) {
      return Object.fromEntries([...parameters, [text, segments.slice(index).map(decodePathSegment).join('/')]]);
    }
    const segment = segments[index];
    if (segment === undefined || segment === '') return undefined;
    if (kind === 'literal' && segment !== text) return undefined;
    if (kind === 'variable') parameters.push([text, decodePathSegment(segment)]);
  }
  return segments.length === pattern.length ? Object.fromEntries(parameters) : undefined;
}

/** Percent-decodes as UTF-8. Invalid text is returned as it is. */
export function decodePathSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The ARN by which API Gateway names the route that invokes a function: `<api>/$default/<method>/<path>`. */
export function routeArn(apiId: string, routeKey: string): string {
  const [method = '', path = ''] = routeKey.split(' ');
  return arn('execute-api', `${apiId}/$default/${method}${method === '$default' ? '' : path}`);
}
