import * as z from 'zod';
import { integerBetween } from '../../core/integer-between.ts';

/** Memory in GB that Fargate offers for each number of vCPUs: from, to, in steps of. */
const memoryOffers: Readonly<Record<number, readonly [from: number, to: number, step: number]>> = {
  1: [2, 8, 1],
  2: [4, 16, 1],
  4: [8, 30, 1],
  8: [16, 60, 4],
  16: [32, 120, 8],
};

/** Fargate tasks for jobs that no function can end. */
export const fargateSchema = z
  .strictObject({
    vpcId: z
      .string()
      .regex(/^vpc-([0-9a-f]{8}|[0-9a-f]{17})$/, 'must be an id such as vpc-0a1b2c3d')
      .meta({ description: 'VPC of the tasks, such as the default VPC of the account.' }),
    subnetIds: z
      .array(z.string().regex(/^subnet-([0-9a-f]{8}|[0-9a-f]{17})$/, 'must be an id such as subnet-0a1b2c3d'))
      .min(1, 'must name at least one subnet')
      .max(16, 'must name at most 16 subnets')
      .meta({
        description: 'Subnets of the tasks, of several availability zones for more capacity.',
      }),
    publicAddress: z.boolean().default(true).meta({
      description:
        'Whether a task has a public address: true in public subnets, false in private ones with a NAT gateway.',
    }),
    vcpus: z
      .literal([1, 2, 4, 8, 16], 'must be 1, 2, 4, 8 or 16')
      .default(4)
      .meta({ description: 'vCPUs of a task.' }),
    memoryGb: integerBetween(2, 120).default(8).meta({
      description: 'Memory of a task in GB, as Fargate offers it for the number of vCPUs.',
    }),
    storageGb: integerBetween(21, 200).default(100).meta({
      description: 'Disk of a task in GB, for the inputs and the outputs together.',
    }),
    maxHours: integerBetween(1, 72).default(12).meta({ description: 'Hours that a task has for a job.' }),
    spot: z.boolean().default(false).meta({
      description:
        'Whether tasks run in Spot capacity: for about a third of the price, but AWS may stop a task at any time, and its job begins again.',
    }),
  })
  .refine(({ vcpus, memoryGb }) => isOffered(vcpus, memoryGb), {
    path: ['memoryGb'],
    message:
      'must be what Fargate offers: 2 to 8 for 1 vCPU, 4 to 16 for 2, 8 to 30 for 4, 16 to 60 in steps of 4 for 8, 32 to 120 in steps of 8 for 16',
  });

export type FargateSettings = z.output<typeof fargateSchema>;

function isOffered(vcpus: number, memoryGb: number): boolean {
  const [from, to, step] = memoryOffers[vcpus] ?? [0, 0, 1];
  return memoryGb >= from && memoryGb <= to && memoryGb % step === 0;
}
