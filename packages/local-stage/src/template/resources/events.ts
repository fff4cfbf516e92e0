import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { eventPatternSchema } from '../../event-pattern.ts';
import { resourceKind } from '../resource-kind.ts';

export const eventBus = resourceKind({
  type: 'AWS::Events::EventBus',
  nameProperty: 'Name',
  properties: z.strictObject({ Name: z.string() }),
  attributes: { Arn: ({ name }) => arn('events', `event-bus/${name}`), Name: ({ name }) => name },
});

/** A rule of a schedule, which invokes functions, or one of an event pattern, which sends events to queues. */
export const rule = resourceKind({
  type: 'AWS::Events::Rule',
  nameProperty: 'Name',
  properties: z.strictObject({
    Name: z.string().optional(),
    ScheduleExpression: z
      .string()
      .regex(/^rate\([1-9]\d* (minutes?|hours?|days?)\)$/, 'only rate(...) schedules run here')
      .optional(),
    EventBusName: z.string().optional(),
    EventPattern: eventPatternSchema.optional(),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Targets: z.array(
      z.strictObject({
        Id: z.string(),
        Arn: z.string().regex(/:function:|:sqs:/, 'only functions and queues are targets here'),
        Input: z.string().optional(),
        RetryPolicy: z.unknown().optional().meta({ description: 'the next tick tries again' }),
      }),
    ),
  }),
  attributes: { Arn: ({ name }) => arn('events', `rule/${name}`) },
});
