import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { resourcesOf } from './template-resources.ts';

const oneOrMore = z.union([z.array(z.unknown()), z.unknown().transform((value) => [value])]);
const policySchema = z.object({
  PolicyName: z.string(),
  PolicyDocument: z.object({
    Statement: z.array(z.object({ Effect: z.string(), Action: oneOrMore, Resource: oneOrMore })),
  }),
});

export type Allowed = { policy: string; actions: string[]; resources: string[] };

/** Every statement of every role's policies, its resources as text: references in angle brackets. */
export function allowedBy(template: Template): Allowed[] {
  return resourcesOf(template, 'AWS::IAM::Policy').flatMap((properties) => {
    const { PolicyName, PolicyDocument } = policySchema.parse(properties);
    return PolicyDocument.Statement.map(({ Action, Resource }) => ({
      policy: PolicyName,
      actions: Action.map(String),
      resources: Resource.map(asText),
    }));
  });
}

/** What one function may do beyond logs and traces: each action with a short name of its resource. */
export function policyOf(template: Template, functionId: string): Record<string, string> {
  const own = allowedBy(template).filter(({ policy }) => policy.startsWith(functionId));
  const grants = own.flatMap(({ actions, resources }) =>
    actions.map((action) => [action, resources.map(shortName).join(', ')] as const),
  );
  return Object.fromEntries(grants.filter(([action]) => !/^(logs|xray):/.test(action)));
}

function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('Fn::Join' in value) return (value['Fn::Join'] as [string, unknown[]])[1].map(asText).join('');
  if ('Fn::GetAtt' in value) return `<${(value['Fn::GetAtt'] as string[])[0]}>`;
  return `<${Object.values(value).join()}>`;
}

function shortName(resource: string): string {
  if (resource.endsWith('-media-jobs')) return 'table';
  if (resource.startsWith('<TranscodeQueue')) return 'queue';
  return resource.replace(/^.*-media\//, '').replace(/^<(.*)>$/, '$1');
}
