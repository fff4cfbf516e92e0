import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { type LocalResource, resourceKind } from '../resource-kind.ts';

const machineArn = ({ name }: LocalResource) => arn('states', `stateMachine:${name}`);

export const stateMachine = resourceKind({
  type: 'AWS::StepFunctions::StateMachine',
  nameProperty: 'StateMachineName',
  properties: z.strictObject({
    StateMachineName: z.string().optional(),
    StateMachineType: z.literal('STANDARD', 'only standard workflows run here').default('STANDARD'),
    DefinitionString: z.string(),
    DefinitionSubstitutions: z.record(z.string(), z.coerce.string()).default({}),
    RoleArn: z.string(),
    LoggingConfiguration: z.unknown().optional(),
    TracingConfiguration: z.strictObject({ Enabled: z.boolean() }).optional(),
  }),
  ref: machineArn,
  attributes: { Arn: machineArn, Name: ({ name }) => name },
});
