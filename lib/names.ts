import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** `createJob` as `create-job`: the name of a route's handler file, bundle and function. */
export function kebabCase(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `create-job` as `CreateJob`: the construct id of a function. */
export function pascalCase(functionName: string): string {
  return functionName.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

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
