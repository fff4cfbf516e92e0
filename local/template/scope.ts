import { account, partition, region } from '../aws-names.ts';
import type { Assembly, Stack } from './assembly.ts';
import { ignoredTypes } from './ignored-types.ts';
import { noValue, resolve, type Scope } from './intrinsics.ts';
import type { Endpoints, LocalResource, ResourceKind } from './resource-kind.ts';
import { resourceKinds } from './resource-kinds.ts';

const pseudoParameters: Readonly<Record<string, unknown>> = {
  'AWS::AccountId': account,
  'AWS::NoValue': noValue,
  'AWS::Partition': partition,
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The scopes of all stacks of an assembly, by stack name: an import in one finds the exports of the others. */
export function stackScopes(assembly: Assembly, endpoints: Endpoints): ReadonlyMap<string, Scope> {
  const scopes = new Map<string, Scope>();
  for (const stack of assembly.stacks) scopes.set(stack.name, stackScope(stack, assembly, scopes, endpoints));
  return scopes;
}

function stackScope(
  stack: Stack,
  assembly: Assembly,
  scopes: ReadonlyMap<string, Scope>,
  endpoints: Endpoints,
): Scope {
  const addresses = new Map<string, LocalResource>();
  const scope: Scope = {
    ref(name) {
      if (Object.hasOwn(pseudoParameters, name)) return pseudoParameters[name];
      if (name === 'AWS::StackName') return stack.name;
      if (Object.hasOwn(stack.template.Parameters, name)) return parameter(stack, name);
      return referenced(stack, name, (kind) => kind.ref(addressOf(name, kind)));
    },
    attribute(logicalId, attribute) {
      return referenced(stack, logicalId, (kind) => {
        const value = kind.attributes[attribute];
        if (!value) throw new Error(`attribute ${attribute} of ${logicalId} (${kind.type}) is not supported`);
        return value(addressOf(logicalId, kind));
      });
    },
    importValue: (name) => exported(assembly, scopes, name),
    condition(name) {
      const expression = stack.template.Conditions[name];
      if (expression === undefined) throw new Error(`there is no condition ${name} in stack ${stack.name}`);
      return resolve(expression, scope, `Conditions.${name}`) === true;
    },
  };

  function addressOf(logicalId: string, kind: ResourceKind): LocalResource {
    const known = addresses.get(logicalId);
    if (known) return known;
    const given = kind.nameProperty && stack.template.Resources[logicalId]?.Properties[kind.nameProperty];
    const name =
      given === undefined || given === '' ? undefined : resolve(given, scope, kind.nameProperty ?? '');
    const address = { name: typeof name === 'string' ? name : derivedName(stack.name, logicalId), endpoints };
    addresses.set(logicalId, address);
    return address;
  }

  return scope;
}

/** The name of a resource that its template leaves to CloudFormation: lower case, since a bucket's must be. */
function derivedName(stackName: string, logicalId: string): string {
  return `${stackName}-${logicalId}`.toLowerCase();
}

function parameter(stack: Stack, name: string): unknown {
  const value = stack.parameters[name] ?? stack.template.Parameters[name]?.Default;
  if (value === undefined) throw new Error(`parameter ${name} of stack ${stack.name} has no value`);
  return value;
}

function referenced<T>(stack: Stack, logicalId: string, use: (kind: ResourceKind) => T): T {
  const resource = stack.template.Resources[logicalId];
  if (!resource) throw new Error(`there is no resource or parameter ${logicalId} in stack ${stack.name}`);
  const kind = resourceKinds.get(resource.Type);
  if (kind) return use(kind);
  const inert = ignoredTypes[resource.Type];
  const reason = inert ? `does not exist here (${inert})` : 'is not supported';
  throw new Error(`${logicalId} is a ${resource.Type}, which ${reason}`);
}

function exported(assembly: Assembly, scopes: ReadonlyMap<string, Scope>, name: string): unknown {
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
