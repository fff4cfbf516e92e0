import * as z from 'zod';
import { exceededLimits } from './exceeded-limits.ts';
import { findCycle } from './find-cycle.ts';
import type { Schemas } from './schemas.ts';
import { validateReferences } from './validate-references.ts';
import { validateStateMachine } from './validate-state-machine.ts';
import { type Problem, validateProperties } from './validate-value.ts';

const resourceSchema = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string(), z.array(z.string())]).default([]),
});

const templateSchema = z.looseObject({ Resources: z.record(z.string(), resourceSchema) });

type Resource = z.output<typeof resourceSchema>;

/**
 * Validates every resource of a template against its CloudFormation schema, every state machine with asl-validator, and the
 * template against the quotas of AWS. No resource may depend on itself.
 *
 * @returns one sentence for each problem, which names the resource and the property, the cycle, or the quota
 */
export function validateTemplate(template: unknown, schemas: Schemas): string[] {
  const parsed = templateSchema.parse(template);
  const { Resources } = parsed;
  const types = new Map(Object.entries(Resources).map(([id, { Type }]) => [id, Type]));
  const invalid = Object.entries(Resources).flatMap(([id, resource]) => {
    const { Type, Properties, DependsOn } = resource;
    const problems = [
      ...validateResource(resource, schemas),
      ...validateReferences(Properties, '', { types, schemas }),
      ...[DependsOn]
        .flat()
        .filter((other) => !types.has(other))
        .map((other) => ({ path: 'DependsOn', message: `names ${other}, which does not exist` })),
    ];
    return problems.map(({ path, message }) => `${id} (${Type}): ${path} ${message}`);
  });
  const cycle = findCycle(Resources);
  const circular = cycle === undefined ? [] : [`Circular dependency: ${cycle.join(' → ')}`];
  return [...invalid, ...circular, ...exceededLimits(parsed)];
}

function validateResource({ Type, Properties }: Resource, schemas: Schemas): Problem[] {
  if (Type.startsWith('Custom::') || Type === 'AWS::CloudFormation::CustomResource') {
    return 'ServiceToken' in Properties ? [] : [{ path: 'ServiceToken', message: 'is required' }];
  }
  const schema = schemas.resource(Type);
  if (schema === undefined) return [{ path: 'Type', message: 'is not a resource type of CloudFormation' }];
  const problems = validateProperties(Properties, schema.properties, { schemas });
  if (Type !== 'AWS::StepFunctions::StateMachine') return problems;
  return [...problems, ...validateStateMachine(Properties)];
}
