import { integerBetween } from '@media-jobs/video/values';
import * as z from 'zod';

/** The pool of tasks in Spot capacity that economy jobs share. */
const poolSchema = z.strictObject({
  maxTasks: integerBetween(1, 1000).default(10).describe('Tasks of the pool at the same time.'),
  fallback: z
    .enum(['on-demand', 'wait'], 'must be on-demand or wait')
    .default('wait')
    .describe(
      'What jobs do while AWS has no Spot capacity: `wait`, or run in tasks at the price on demand, about three times as much.',
    ),
});

/** Fargate tasks for jobs that no function can end, and for economy jobs. */
export const fargateSchema = z.strictObject({
  vpcId: z
    .string()
    .regex(/^vpc-([0-9a-f]{8}|[0-9a-f]{17})$/, 'must be an id such as vpc-0a1b2c3d')
    .describe('VPC of the tasks, such as the default VPC of the account.'),
  subnetIds: z
    .array(z.string().regex(/^subnet-([0-9a-f]{8}|[0-9a-f]{17})$/, 'must be an id such as subnet-0a1b2c3d'))
    .min(1, 'must name at least one subnet')
    .max(16, 'must name at most 16 subnets')
    .describe('Subnets of the tasks, of several availability zones for more capacity.'),
  publicAddress: z
    .boolean()
    .default(true)
    .describe('Whether a task has a public address: true in public subnets, false in private ones with a NAT gateway.'),
  vcpus: z
    .literal([1, 2, 4, 8, 16], 'must be 1, 2, 4, 8 or 16')
    .default(4)
    .describe('vCPUs of a task, which has 2 GB of memory for each.'),
  storageGb: integerBetween(21, 200).default(100).meta({
    description: 'Disk of a task in GB, for the inputs and the outputs together.',
  }),
  maxHours: integerBetween(1, 72).default(12).describe('Hours that a task has for a job.'),
  spot: z
    .boolean()
    .default(false)
    .describe(
      'Whether tasks run in Spot capacity: for about a third of the price, but AWS may stop a task at any time, and its job begins again.',
    ),
  pool: poolSchema.optional().describe('Runs jobs of the speed `economy`, several in a task; unset: none.'),
});

export type PoolSettings = z.output<typeof poolSchema>;

export type FargateSettings = z.output<typeof fargateSchema>;

/** Memory of a task in GB: the least that Fargate offers for its vCPUs (Amazon ECS, "Fargate task definition"). */
export function fargateMemoryGb({ vcpus }: Pick<FargateSettings, 'vcpus'>): number {
  return 2 * vcpus;
}
