import { authorizationHeaders } from '../emulators/s3.ts';
import type { GatewayResponse, PageHandler } from '../http/gateway-response.ts';
import type { AccessControl } from '../permissions/access-control.ts';
import type { EdgePlan } from '../template/edge-plan.ts';
import type { Behavior } from '../template/resources/cloudfront.ts';

import { isResponse, loadViewerRequest, type StoreReader, type ViewerRequest } from './viewer-request.ts';

export type EdgeOptions = {
  s3Endpoint: string;
  control: AccessControl;
  storeOf: (arn: string) => StoreReader;
};

/**
 * Serves the behaviors of a distribution whose origin is a bucket, at the address of the API; those of the API are the gateway's
 * own. Nothing is cached. Undefined for a path of no such behavior.
 */
export function serveEdge(plan: EdgePlan, options: EdgeOptions): PageHandler {
  const functions = new Map(
    plan.functions.map(({ arn, code, storeArn }): [string, ViewerRequest] => [
      arn,
      loadViewerRequest(code, storeArn === undefined ? undefined : options.storeOf(storeArn)),
    ]),
  );
  const behaviors = plan.behaviors.map((behavior) => ({ behavior, pattern: patternOf(behavior.PathPattern) }));
  return (method, target, _, headers) => {
    const [path = ''] = target.split('?');
    const { behavior } = behaviors.find(({ pattern }) => pattern.test(path)) ?? {};
    const bucket = behavior && plan.bucketOf(behavior);
    if (behavior === undefined || bucket === undefined) return undefined;
    return answer({ method, path, headers }, { ...options, plan, behavior, bucket, functions });
  };
}

/** `*` stands for any characters, `?` for one (CloudFront Developer Guide, "Path pattern"). */
function patternOf(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}

type ViewersRequest = { method: string; path: string; headers: Record<string, string> };

type Serving = EdgeOptions & {
  plan: EdgePlan;
  behavior: Behavior;
  bucket: { name: string; isSigned: boolean };
  functions: ReadonlyMap<string, ViewerRequest>;
};

async function answer({ method, path, headers }: ViewersRequest, serving: Serving): Promise<GatewayResponse> {
  const { behavior, functions, plan } = serving;
  if (!behavior.AllowedMethods.includes(method)) return response(403, {});
  const [association] = behavior.FunctionAssociations;
  const run = association && functions.get(association.FunctionARN);
  const values = Object.entries(headers).map(([name, value]) => [name, { value }] as const);
  const request = { method, uri: path, querystring: {}, headers: Object.fromEntries(values) };
  const verdict = run === undefined ? request : await run(request);
  if (isResponse(verdict)) {
    const own = Object.entries(verdict.headers ?? {}).map(([name, { value }]) => [name, value] as const);
    return response(verdict.statusCode, Object.fromEntries(own));
  }
  const read = await readObject(verdict.uri, { method, headers }, serving);
  return { ...read, headers: { ...read.headers, ...plan.headersOf(behavior) } };
}

/** Reads from the bucket as CloudFront does by its origin access control: the policy of the bucket decides. */
async function readObject(
  uri: string,
  { method, headers }: Omit<ViewersRequest, 'path'>,
  { bucket, plan, control, s3Endpoint }: Serving,
): Promise<GatewayResponse> {
  const principal = { service: bucket.isSigned ? 'cloudfront.amazonaws.com' : 'anonymous' };
  const access = {
    action: 's3:GetObject',
    resourceArn: `arn:aws:s3:::${bucket.name}${decodeURIComponent(uri)}`,
    context: { 'aws:SourceArn': plan.arn },
  };
  if (control.check(principal, [access]) !== undefined) return response(403, {});
  const passed = ['range', 'if-range', 'if-none-match', 'if-modified-since'];
  const sent = Object.entries(headers).filter(([name]) => passed.includes(name));
  const url = `${s3Endpoint}/${bucket.name}${uri}?x-id=GetObject`;
  const found = await fetch(url, { method, headers: { ...Object.fromEntries(sent), ...authorizationHeaders() } });
  // Without a permission to list, S3 answers so for a missing key.
  if (found.status === 404) return response(403, {});
  const kept = ['content-type', 'content-range', 'content-length', 'etag', 'last-modified', 'accept-ranges'];
  const own = kept.flatMap((name) => [[name, found.headers.get(name)] as const]).filter(([, value]) => value !== null);
  const body = Buffer.from(await found.arrayBuffer());
  return { status: found.status, headers: Object.fromEntries(own) as Record<string, string>, body };
}

function response(status: number, headers: Record<string, string>): GatewayResponse {
  return { status, headers, body: Buffer.alloc(0) };
}
