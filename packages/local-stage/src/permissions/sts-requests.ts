import type { AccessRequest } from './access-request.ts';

/** The permission that an STS request needs, on the role that it names. */
export function stsAccess(form: string): AccessRequest[] {
  const parameters = new URLSearchParams(form);
  const roleArn = parameters.get('RoleArn') ?? '*';
  const context = { 'aws:ResourceAccount': roleArn.split(':')[4] ?? '' };
  return [{ action: `sts:${parameters.get('Action')}`, resourceArn: roleArn, context }];
}
