import { resolvedText } from './resolved-text.ts';

export type Template = Readonly<Record<string, unknown>> & {
  Resources: Readonly<Record<string, { Type: string; Properties: Readonly<Record<string, unknown>> }>>;
};

type Limit = {
  /** What is counted. */
  of: string;
  max: number;
  count: (template: Template) => number;
};

/** AWS CloudFormation User Guide, "Understand CloudFormation quotas" and "Get values stored in other services". */
const templateLimits: readonly Limit[] = [
  { of: 'dynamic references', max: 60, count: (template) => textOf(template).split('{{resolve:').length - 1 },
  { of: 'resources', max: 500, count: ({ Resources }) => sizeOf(Resources) },
  { of: 'outputs', max: 200, count: ({ Outputs }) => sizeOf(Outputs) },
  { of: 'parameters', max: 200, count: ({ Parameters }) => sizeOf(Parameters) },
  { of: 'mappings', max: 200, count: ({ Mappings }) => sizeOf(Mappings) },
  { of: 'bytes of description', max: 1024, count: ({ Description = '' }) => bytesOf(String(Description)) },
  { of: 'bytes', max: 1_000_000, count: (template) => bytesOf(textOf(template)) },
];

/** Of a function, in the JSON in which Lambda measures it (AWS Lambda Developer Guide, "Lambda quotas"). */
const maxEnvironmentBytes = 4096;

/** Of all inline policies of a role (IAM User Guide, "IAM and AWS STS quotas"). */
const maxPolicyCharacters = 10_240;

/**
 * The quotas of CloudFormation, of Lambda for environments and of IAM for policies that a template exceeds: the deployment
 * would fail.
 *
 * @returns one sentence for each
 */
export function exceededLimits(template: Template): string[] {
  const ofTemplate = templateLimits.flatMap(({ of, max, count }) => exceeded(count(template), max, of));
  return [...ofTemplate, ...exceededByEnvironments(template), ...exceededByPolicies(template)];
}

function exceeded(count: number, max: number, of: string): string[] {
  return count > max ? [`The template has ${count} ${of}, and AWS allows ${max}`] : [];
}

function exceededByEnvironments({ Resources }: Template): string[] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
    if (Type !== 'AWS::Lambda::Function') return [];
    const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: object };
    return exceeded(resolvedText(Variables).length, maxEnvironmentBytes, `bytes of environment in ${id}`);
  });
}

function exceededByPolicies({ Resources }: Template): string[] {
  const characters = new Map<string, number>();
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    const { Policies = [], Roles = [], PolicyDocument } = Properties as PolicyProperties;
    if (Type === 'AWS::IAM::Role') add(id, Policies);
    if (Type !== 'AWS::IAM::Policy') continue;
    for (const { Ref } of Roles) add(Ref, [{ PolicyDocument }]);
  }
  return [...characters].flatMap(([id, count]) =>
    exceeded(count, maxPolicyCharacters, `characters of policies in ${id}`),
  );

  function add(role: string, policies: readonly { PolicyDocument: unknown }[]): void {
    const added = policies.reduce((sum, policy) => sum + resolvedText(policy.PolicyDocument).length, 0);
    characters.set(role, (characters.get(role) ?? 0) + added);
  }
}

type PolicyProperties = {
  Policies?: readonly { PolicyDocument: unknown }[];
  Roles?: readonly { Ref: string }[];
  PolicyDocument?: unknown;
};

/** The text that CDK writes. */
function textOf(template: Template): string {
  return JSON.stringify(template, undefined, 1);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function sizeOf(section: unknown): number {
  return Object.keys(section ?? {}).length;
}
