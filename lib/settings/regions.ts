import * as z from 'zod';

/** HTTP APIs of API Gateway came to these regions years after the regions; their quotas and prices are not known here. */
const withoutHttpApis: ReadonlySet<string> = new Set(['ap-east-2', 'ap-southeast-6']);

/** Regions whose CloudFormation has AWS::Budgets::Budget, as cfn-lint's tables list them. */
const withBudgets: ReadonlySet<string> = new Set(
  (
    'us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 sa-east-1 eu-central-1 eu-west-1 eu-west-2 eu-west-3 ' +
    'ap-northeast-1 ap-northeast-2 ap-south-1 ap-southeast-1 ap-southeast-2'
  ).split(' '),
);

export const regionSetting = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-central-1')
  // Signed URLs and the dashboard's policy contain amazonaws.com.
  .refine((region) => !/^(cn|us-iso|eu-iso)/.test(region), {
    message: 'must not be a region in China or of an isolated partition: AWS uses other host names there',
  })
  .refine((region) => !withoutHttpApis.has(region), {
    message: 'must not be a region in which HTTP APIs of API Gateway are missing or new: no stage was compared with it',
  });

/**
 * Whether a budget is in the stack in us-east-1, since CloudFormation of the stage's region has none. A stage of any region
 * keeps it with the rest.
 */
export function needsGlobalBudget({
  region,
  budgetUsdPerMonth,
}: {
  region?: string | undefined;
  budgetUsdPerMonth?: number | undefined;
}): boolean {
  return budgetUsdPerMonth !== undefined && region !== undefined && !withBudgets.has(region);
}
