import { arn } from '../aws-names.ts';
import type { AccessRequest } from './access-request.ts';

/** The function that a request invokes, by its path (Lambda API Reference, Invoke). */
export function invokedFunction(url: string): string | undefined {
  const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(new URL(url, 'http://lambda').pathname) ?? [];
  return name && decodeURIComponent(name);
}

/** The permission that an invocation needs, on the function that it names. */
export function lambdaAccess(url: string): AccessRequest[] {
  return [{ action: 'lambda:InvokeFunction', resourceArn: arn('lambda', `function:${invokedFunction(url) ?? '*'}`) }];
}
