import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { resourcesOf } from './template-resources.ts';

const oneOrMore = z.union([z.array(z.unknown()), z.unknown().transform((value) => [value])]);
const policySchema = z.object({
  PolicyName: z.string(),
  PolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Effect: z.string(),
        Action: oneOrMore,
        Resource: oneOrMore,
        Condition: z
          .object({ 'ForAllValues:StringLike': z.object({ 'dynamodb:LeadingKeys': oneOrMore }).optional() })
          .optional(),
      }),
    ),
  }),
});

export type Allowed = {
  policy: string;
  actions: string[];
  resources: string[];
  /** Patterns of the table's partition keys; empty without a condition. */
  partitions: string[];
};

/** Every statement of every role's policies, those in the role under its own id; references in its resources are in angle brackets. */
export function allowedBy(template: Template): Allowed[] {
  const roles = Object.entries(template.findResources('AWS::IAM::Role'));
  const inline = roles.flatMap(([PolicyName, { Properties }]) =>
    (Properties.Policies ?? []).map((policy: object) => ({ ...policy, PolicyName })),
  );
  return [...resourcesOf(template, 'AWS::IAM::Policy'), ...inline].flatMap((properties) => {
    const { PolicyName, PolicyDocument } = policySchema.parse(properties);
    return PolicyDocument.Statement.map(({ Action, Resource, Condition }) => ({
      policy: PolicyName,
      actions: Action.map(String),
      resources: Resource.map(asText),
      partitions: Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'].map(String) ?? [],
    }));
  });
}

/** The actions of one function without logs and traces, each with short names of its resources and partitions. */
export function policyOf(template: Template, functionId: string): Record<string, string> {
  const own = allowedBy(template).filter(({ policy }) => policy.startsWith(functionId));
  const names = new Map<string, string[]>();
  for (const { actions, resources, partitions } of own) {
    const short = resources.map((resource) => [shortName(resource), ...partitions].join(' '));
    for (const action of actions.filter((one) => !/^(logs|xray):/.test(one))) {
      names.set(action, [...(names.get(action) ?? []), ...short]);
    }
  }
  return Object.fromEntries([...names].map(([action, found]) => [action, found.sort().join(', ')]));
}

function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('Fn::Join' in value) return (value['Fn::Join'] as [string, unknown[]])[1].map(asText).join('');
  if ('Fn::GetAtt' in value) return `<${(value['Fn::GetAtt'] as string[])[0]}>`;
  return `<${Object.values(value).join()}>`;
}

function shortName(resource: string): string {
  if (resource.endsWith('-jobs')) return 'table';
  if (resource.endsWith('-media')) return 'bucket';
  if (resource.startsWith('<TranscodeQueue')) return 'queue';
  const [, machine] = /:execution:media-jobs-test-(.+):\*$/.exec(resource) ?? [];
  if (machine !== undefined) return `executions of ${machine}`;
  // A logical id ends in a hash of the construct's path.
  return resource.replace(/^.*-media\//, '').replace(/^<(.*?)[0-9A-F]{8}>$/, '$1');
}
