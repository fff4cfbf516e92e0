import type { AccessRequest } from './access-request.ts';

/** The permissions that an STS request needs, on the role that it names. */
export function stsAccess(form: string): AccessRequest[] {
  const parameters = new URLSearchParams(form);
  const roleArn = parameters.get('RoleArn') ?? '*';
  const context = { 'aws:ResourceAccount': roleArn.split(':')[4] ?? '' };
  const actions = [parameters.get('Action'), ...(parameters.has('Tags.member.1.Key') ? ['TagSession'] : [])];
  return actions.map((action) => ({ action: `sts:${action}`, resourceArn: roleArn, context }));
}
