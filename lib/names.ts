/** First part of every physical name of a stage, so that one pattern finds all of its resources in an account. */
export function namePrefix(stage: string): string {
  return `media-jobs-${stage}`;
}

/** Deployment target of a stage. Account and region may be CDK tokens. */
export type StageLocation = { stage: string; account: string; region: string };

/**
 * Names of the resources of the stateful stack. Both stacks derive them: CloudFormation exports could not change while
 * they are imported.
 */
export function statefulResourceNames({ stage, account, region }: StageLocation): {
  table: string;
  mediaBucket: string;
} {
  return {
    table: tableName({ stage, account }),
    // Bucket names are global: the region separates the same stage in two regions.
    mediaBucket: `${namePrefix(stage)}-${account}-${region}-media`,
  };
}

/** The alias of the KMS key that encrypts the secrets of storage providers. */
export function secretsKeyAlias(stage: string): string {
  return `alias/${namePrefix(stage)}-secrets`;
}

export function tableName({ stage, account }: Pick<StageLocation, 'stage' | 'account'>): string {
  return `${namePrefix(stage)}-${account}-jobs`;
}

/** `create-job` → `CreateJob`: the construct id of a function. */
export function pascalCase(functionName: string): string {
  return functionName.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
