export type Template = Readonly<{
  Resources: Readonly<Record<string, { Type: string; Properties: Readonly<Record<string, unknown>> }>>;
}>;

/** AWS CloudFormation User Guide, "Get values stored in other services". */
const maxDynamicReferences = 60;

/** Of a function, in the JSON in which Lambda measures it (AWS Lambda Developer Guide, "Lambda quotas"). */
const maxEnvironmentBytes = 4096;

/** Of all inline policies of a role (IAM User Guide, "IAM and AWS STS quotas"). */
const maxPolicyCharacters = 10_240;

/**
 * The quotas that a template exceeds and cfn-lint does not know: dynamic references, environments of functions, and inline
 * policies of roles.
 *
 * @returns one sentence for each
 */
export function exceededLimits(template: Template): string[] {
  const references = JSON.stringify(template).split('{{resolve:').length - 1;
  return [
    ...exceeded(references, maxDynamicReferences, 'dynamic references'),
    ...exceededByEnvironments(template),
    ...exceededByPolicies(template),
  ];
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

/** Stands for the value of a reference. ARNs and URLs of a stage are shorter. */
const anyReference = 'x'.repeat(128);

/** The JSON of a value of a template, with a text of 128 characters in place of each reference. */
function resolvedText(value: unknown): string {
  return JSON.stringify(resolved(value));
}

function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0 && name === 'Fn::Join') return joined(argument);
  if (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) return anyReference;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolved(child)]));
}

function joined([separator, parts]: [string, unknown[]]): string {
  return parts.map((part) => String(resolved(part))).join(separator);
}
