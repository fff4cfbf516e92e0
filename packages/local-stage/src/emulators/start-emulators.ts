import { join } from 'node:path';
import type { PermissionGuard } from '../permissions/guard.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startEventBridge } from './eventbridge.ts';
import { startKeyValueStores } from './key-value-store.ts';
import { startKms } from './kms.ts';
import { startLambda } from './lambda.ts';
import { startS3 } from './s3.ts';
import type { OtherS3 } from './s3-forwarding.ts';
import { startSqs } from './sqs.ts';
import { startStepFunctions } from './step-functions/server.ts';
import { startSts } from './sts.ts';
import type { Traffic } from './traffic.ts';

/** Stop functions of the started components, in start order. */
export type Stops = (() => unknown)[];

/** Starts all emulators. Adds the stop function of each to `stops`, also if another one does not start. */
export async function startEmulators(
  dataDirectory: string,
  { traffic, guard, otherS3 }: { traffic: Traffic; guard: PermissionGuard; otherS3?: OtherS3 | undefined },
  stops: Stops,
) {
  const starting = {
    dynamodb: startDynamoDb(join(dataDirectory, 'dynamodb'), traffic, guard),
    sqs: startSqs(join(dataDirectory, 'sqs'), traffic, guard),
    s3: startS3(join(dataDirectory, 's3'), traffic, guard, { other: otherS3 }),
    sfn: startStepFunctions(join(dataDirectory, 'step-functions'), traffic, guard),
    kms: startKms(join(dataDirectory, 'kms'), traffic, guard),
    sts: startSts(traffic, guard),
    eventbridge: startEventBridge(traffic, guard),
    lambda: startLambda(traffic, guard),
    kvs: startKeyValueStores(join(dataDirectory, 'key-value-stores'), traffic, guard),
  };
  for (const result of await Promise.allSettled(Object.values(starting))) {
    if (result.status === 'fulfilled') stops.push(result.value.stop);
  }
  return awaitAll(starting);
}

type Awaiting<Values> = { [Name in keyof Values]: Promise<Values[Name]> };

/** The values of promises by their names. Rejects with the error of the first that rejects. */
async function awaitAll<Values extends object>(promises: Awaiting<Values>): Promise<Values> {
  const entries = Object.entries(promises).map(async ([name, promise]) => [name, await promise]);
  return Object.fromEntries(await Promise.all(entries));
}

/** The base URLs of the emulators and the HTTP API. */
export function emulatorEndpoints(emulators: Awaited<ReturnType<typeof startEmulators>>, api: string): Endpoints {
  const entries = Object.entries(emulators).map(([service, { endpoint }]) => [service, endpoint]);
  return { ...Object.fromEntries(entries), api } as Endpoints;
}
