import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Acknowledges that a role may do something to every resource of one pattern, and to nothing else.
 *
 * @param pattern the resource as it stands in the policy: `*`, or an ARN that ends in a prefix and `/*`
 */
export function acknowledgeWildcard(role: IConstruct, pattern: string, reason: string): void {
  const resource = written(Stack.of(role).resolve(pattern));
  Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
}

/** A resolved value as cdk-nag writes it in the name of a finding: references in angle brackets. */
function written(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('Ref' in value) return `<${String(value.Ref)}>`;
  if ('Fn::GetAtt' in value) return `<${String(value['Fn::GetAtt']).replace(',', '.')}>`;
  const join = 'Fn::Join' in value ? value['Fn::Join'] : undefined;
  if (!Array.isArray(join)) throw new Error(`Cannot write ${JSON.stringify(value)} as the name of a finding`);
  return join[1].map(written).join(join[0]);
}
