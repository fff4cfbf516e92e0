import { GetBucketNotificationConfigurationCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Settings } from '../../settings/settings.ts';
import { watchedBuckets } from '../../settings/watches.ts';
import type { Finding } from './finding.ts';

/** Reads which watched buckets that the stage does not make send their events to EventBridge; undefined: could not be read. */
export async function readBucketEvents(
  s3: Pick<S3Client, 'send'>,
  settings: Settings,
): Promise<Record<string, boolean | undefined>> {
  const others = watchedBuckets(settings).filter(({ isOwn }) => !isOwn);
  const sends = async (Bucket: string): Promise<boolean | undefined> => {
    try {
      const found = await s3.send(new GetBucketNotificationConfigurationCommand({ Bucket }));
      return found.EventBridgeConfiguration !== undefined;
    } catch {
      return undefined;
    }
  };
  return Object.fromEntries(
    await Promise.all(others.map(async ({ bucket }) => [bucket, await sends(bucket)] as const)),
  );
}

/** A bucket without events is only swept. The command keeps nothing of the bucket's notifications, so that it has to name them. */
export function checkWatches(settings: Settings, events: Readonly<Record<string, boolean | undefined>>): Finding[] {
  return watchedBuckets(settings).flatMap(({ bucket, isOwn, enableEvents }): Finding[] => {
    if (isOwn) return [];
    const requirement = `Events of the watched bucket ${bucket} to EventBridge`;
    if (events[bucket] === true) return [{ requirement, status: 'ok', advice: 'they are on' }];
    if (enableEvents) return [{ requirement, status: 'ok', advice: 'the deployment switches them on' }];
    const read = `aws s3api get-bucket-notification-configuration --bucket ${bucket}`;
    const write = `aws s3api put-bucket-notification-configuration --bucket ${bucket} --notification-configuration '{ "EventBridgeConfiguration": {} }'`;
    const advice = `run ${write} with what ${read} prints added, or set enableEvents of the watch`;
    return events[bucket] === false
      ? [{ requirement, status: 'change', advice: `they are off: ${advice}` }]
      : [{ requirement, status: 'unknown', advice: `they could not be read; if they are off, ${advice}` }];
  });
}
