import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The names by which the service finds what the stateful stack keeps. They are the same text in both stacks, not
 * exports, since an export that is imported can never change. The account may be known at deployment only.
 */
export function storedNames(scope: Construct, stage: string): { table: string; mediaBucket: string } {
  const { account, region } = Stack.of(scope);
  return {
    table: `${stage}-${account}-media-jobs`,
    // Bucket names are global: the region keeps the same stage of two regions apart.
    mediaBucket: `${stage}-${account}-${region}-media`,
  };
}
