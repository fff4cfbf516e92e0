import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Acknowledges cdk-nag's finding that a role has a permission on a wildcard resource.
 *
 * @param pattern the resource of the policy: `*`, or an ARN that ends in `*`
 */
export function acknowledgeWildcard(role: IConstruct, pattern: string, reason: string): void {
  const resource = formatResource(Stack.of(role).resolve(pattern));
  Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
}

/** Acknowledges another finding of cdk-nag, such as `AwsSolutions-SQS3`, on one resource. */
export function acknowledgeFinding(resource: IConstruct, id: string, reason: string): void {
  Validations.of(resource).acknowledge({ id, reason });
}

/** Formats a resolved value as in the names of cdk-nag's findings: references and variables of policies in angle brackets. */
function formatResource(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value).replace(/\$\{(.*?)\}/g, '<$1>');
  if ('Ref' in value) return `<${String(value.Ref)}>`;
  if ('Fn::GetAtt' in value) return `<${String(value['Fn::GetAtt']).replace(',', '.')}>`;
  const join = 'Fn::Join' in value ? value['Fn::Join'] : undefined;
  if (!Array.isArray(join)) throw new Error(`Expected a Ref, Fn::GetAtt or Fn::Join, found ${JSON.stringify(value)}`);
  return join[1].map(formatResource).join(join[0]);
}
