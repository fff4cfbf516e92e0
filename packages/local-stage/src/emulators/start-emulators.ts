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

type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** Starts all emulators. Adds the stop function of each to `stops`, also if another one does not start. */
export async function startEmulators(
  dataDirectory: string,
  { traffic, guard, otherS3 }: { traffic: Traffic; guard: PermissionGuard; otherS3?: OtherS3 | undefined },
  stops: Stops,
) {
  const started = await Promise.allSettled([
    startDynamoDb(join(dataDirectory, 'dynamodb'), traffic, guard),
    startSqs(join(dataDirectory, 'sqs'), traffic, guard),
    startS3(join(dataDirectory, 's3'), traffic, guard, { other: otherS3 }),
    startStepFunctions(join(dataDirectory, 'step-functions'), traffic, guard),
    startKms(join(dataDirectory, 'kms'), traffic, guard),
    startSts(traffic, guard),
    startEventBridge(traffic, guard),
    startLambda(traffic, guard),
    startKeyValueStores(join(dataDirectory, 'key-value-stores'), traffic, guard),
  ]);
  for (const result of started) if (result.status === 'fulfilled') stops.push(result.value.stop);
  const [dynamodb, sqs, s3, sfn, kms, sts, eventbridge, lambda, kvs] = started;
  return {
    dynamodb: unwrap(dynamodb),
    sqs: unwrap(sqs),
    s3: unwrap(s3),
    sfn: unwrap(sfn),
    kms: unwrap(kms),
    sts: unwrap(sts),
    eventbridge: unwrap(eventbridge),
    lambda: unwrap(lambda),
    kvs: unwrap(kvs),
  };
}

function unwrap<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** The base URLs of the emulators and the HTTP API. */
export function emulatorEndpoints(emulators: Emulators, api: string): Endpoints {
  const { dynamodb, sqs, s3, sfn, kms, sts, eventbridge, lambda, kvs } = emulators;
  return {
    dynamodb: dynamodb.endpoint,
    sqs: sqs.endpoint,
    s3: s3.endpoint,
    sfn: sfn.endpoint,
    kms: kms.endpoint,
    sts: sts.endpoint,
    eventbridge: eventbridge.endpoint,
    lambda: lambda.endpoint,
    kvs: kvs.endpoint,
    api,
  };
}
