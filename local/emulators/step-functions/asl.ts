import * as z from 'zod';

const jsonPathOnly = z.literal('JSONPath', 'the interpreter here knows JSONPath only').optional();

/** What `Retry` and `Catch` have in common. */
const errorRule = z.looseObject({
  ErrorEquals: z.array(
    z.string().refine((name) => name !== 'States.TaskFailed', 'here it would match time-outs too'),
  ),
  IntervalSeconds: z.unknown().optional(),
  MaxDelaySeconds: z.unknown().optional(),
});

/** A state, as far as the interpreter of the package runs it as AWS does. */
const state = z.looseObject({
  Type: z.enum(['Task', 'Parallel', 'Map', 'Pass', 'Wait', 'Choice', 'Succeed', 'Fail']),
  QueryLanguage: jsonPathOnly,
  Resource: z.string().optional(),
  TimeoutSecondsPath: z.undefined('a time limit stands in the definition here').optional(),
  Retry: z.array(errorRule).default([]),
  Catch: z.array(errorRule).default([]),
  Branches: z.array(z.unknown()).default([]),
});

export type StateDefinition = z.output<typeof state>;

export const machineSchema = z.looseObject({
  QueryLanguage: jsonPathOnly,
  StartAt: z.string(),
  States: z.record(z.string(), state),
  ProcessorConfig: z.strictObject({ Mode: z.literal('INLINE', 'every Map runs inline here') }).optional(),
});

/** The fields of a Map that runs inline; those of the distributed mode, and the older names, are unknown. */
export const mapSchema = z.strictObject({
  Type: z.literal('Map'),
  Comment: z.unknown().optional(),
  QueryLanguage: jsonPathOnly,
  InputPath: z.unknown().optional(),
  ItemsPath: z.string().default('$'),
  ItemSelector: z.record(z.string(), z.unknown()).optional(),
  ItemProcessor: z.unknown(),
  MaxConcurrency: z.int().min(0).default(0),
  ResultSelector: z.unknown().optional(),
  ResultPath: z.unknown().optional(),
  OutputPath: z.unknown().optional(),
  Retry: z.unknown().optional(),
  Catch: z.unknown().optional(),
  Branches: z.unknown().optional(),
  Next: z.unknown().optional(),
  End: z.unknown().optional(),
});
