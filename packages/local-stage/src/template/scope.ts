import { account, partition, region } from '../aws-names.ts';
import type { Assembly, Stack } from './assembly.ts';
import { noValue, resolve, type Scope } from './intrinsics.ts';
import type { Endpoints, LocalResource, ResourceKind } from './resource-kind.ts';
import { ignoredTypes, resourceKinds } from './resource-kinds.ts';

const pseudoParameters: Readonly<Record<string, unknown>> = {
  'AWS::AccountId': account,
  'AWS::NoValue': noValue,
  'AWS::Partition': partition,
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Creates the scopes of all stacks by stack name. `Fn::ImportValue` finds the exports of the other stacks. */
export function stackScopes(assembly: Assembly, endpoints: Endpoints): ReadonlyMap<string, Scope> {
  const scopes = new Map<string, Scope>();
  for (const stack of assembly.stacks) scopes.set(stack.name, stackScope(stack, assembly, scopes, endpoints));
  return scopes;
}

function stackScope(stack: Stack, assembly: Assembly, scopes: ReadonlyMap<string, Scope>, endpoints: Endpoints): Scope {
  const addresses = new Map<string, LocalResource>();
  const scope: Scope = {
    ref(name) {
      if (Object.hasOwn(pseudoParameters, name)) return pseudoParameters[name];
      if (name === 'AWS::StackName') return stack.name;
      if (Object.hasOwn(stack.template.Parameters, name)) return parameter(stack, name);
      return withKind(stack, name, (kind) => {
        const address = addressOf(name, kind);
        return kind.ref === undefined ? address.name : kind.ref(address);
      });
    },
    attribute(logicalId, attribute) {
      return withKind(stack, logicalId, (kind) => {
        const value = kind.attributes?.[attribute];
        if (!value) throw new Error(`attribute ${attribute} of ${logicalId} (${kind.type}) is not supported`);
        return value(addressOf(logicalId, kind));
      });
    },
    importValue: (name) => importedValue(assembly, scopes, name),
    condition(name) {
      const expression = stack.template.Conditions[name];
      if (expression === undefined) throw new Error(`there is no condition ${name} in stack ${stack.name}`);
      return resolve(expression, scope, `Conditions.${name}`) === true;
    },
  };

  function addressOf(logicalId: string, kind: ResourceKind): LocalResource {
    const cached = addresses.get(logicalId);
    if (cached) return cached;
    const nameValue = kind.nameProperty && stack.template.Resources[logicalId]?.Properties[kind.nameProperty];
    const name =
      nameValue === undefined || nameValue === '' ? undefined : resolve(nameValue, scope, kind.nameProperty ?? '');
    const address = { name: typeof name === 'string' ? name : derivedName(stack.name, logicalId), endpoints };
    addresses.set(logicalId, address);
    return address;
  }

  return scope;
}

/** The name of a resource without one in the template. Lower case, as required for buckets. */
function derivedName(stackName: string, logicalId: string): string {
  return `${stackName}-${logicalId}`.toLowerCase();
}

function parameter(stack: Stack, name: string): unknown {
  const value = stack.parameters[name] ?? stack.template.Parameters[name]?.Default;
  if (value === undefined) throw new Error(`parameter ${name} of stack ${stack.name} has no value`);
  return value;
}

function withKind<T>(stack: Stack, logicalId: string, use: (kind: ResourceKind) => T): T {
  const resource = stack.template.Resources[logicalId];
  if (!resource) throw new Error(`there is no resource or parameter ${logicalId} in stack ${stack.name}`);
  const kind = resourceKinds.get(resource.Type);
  if (kind) return use(kind);
  const ignoredBecause = ignoredTypes[resource.Type];
  const reason = ignoredBecause ? `does not exist here (${ignoredBecause})` : 'is not supported';
  throw new Error(`${logicalId} is a ${resource.Type}, which ${reason}`);
}

function importedValue(assembly: Assembly, scopes: ReadonlyMap<string, Scope>, name: string): unknown {
  for (const stack of assembly.stacks) {
    const scope = scopes.get(stack.name);
    if (!scope) continue;
    for (const [id, output] of Object.entries(stack.template.Outputs)) {
      if (!output.Export || resolve(output.Export.Name, scope, `Outputs.${id}`) !== name) continue;
      return resolve(output.Value, scope, `Outputs.${id}`);
    }
  }
  throw new Error(`no stack exports ${name}`);
}
