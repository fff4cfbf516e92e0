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

/** The permissions that an STS request needs, on the role that it names. */
export function stsAccess(form: string): AccessRequest[] {
  const parameters = new URLSearchParams(form);
  const roleArn = parameters.get('RoleArn') ?? '*';
  const context = { 'aws:ResourceAccount': roleArn.split(':')[4] ?? '' };
  const actions = [parameters.get('Action'), ...(parameters.has('Tags.member.1.Key') ? ['TagSession'] : [])];
  return actions.map((action) => ({ action: `sts:${action}`, resourceArn: roleArn, context }));
}
