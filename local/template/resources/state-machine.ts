import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { type Address, because, resourceKind } from '../resource-kind.ts';

const machineArn = ({ name }: Address) => arn('states', `stateMachine:${name}`);

export const stateMachine = resourceKind({
  type: 'AWS::StepFunctions::StateMachine',
  nameProperty: 'StateMachineName',
  properties: z.strictObject({
    StateMachineName: z.string().optional(),
    StateMachineType: z.literal('STANDARD', 'only standard workflows run here').default('STANDARD'),
    DefinitionString: z.string(),
    DefinitionSubstitutions: z.record(z.string(), z.coerce.string()).default({}),
  }),
  ignored: {
    LoggingConfiguration: because.oneLog,
    RoleArn: because.noPermissions,
    Tags: because.description,
    TracingConfiguration: because.noTracing,
  },
  ref: machineArn,
  attributes: { Arn: machineArn, Name: ({ name }) => name },
});
