/** Where a stage is deployed. The account and the region may be known at deployment only. */
export type StageLocation = { stage: string; account: string; region: string };

/**
 * The names by which the service finds what the stateful stack keeps. They are the same text in both stacks, not
 * exports, since an export that is imported can never change.
 */
export function statefulResourceNames({ stage, account, region }: StageLocation): {
  table: string;
  mediaBucket: string;
} {
  return {
    table: tableName({ stage, account }),
    // Bucket names are global: the region keeps the same stage of two regions apart.
    mediaBucket: `${stage}-${account}-${region}-media`,
  };
}

/** The name of the table that the stateful stack makes. */
export function tableName({ stage, account }: Pick<StageLocation, 'stage' | 'account'>): string {
  return `${stage}-${account}-media-jobs`;
}
