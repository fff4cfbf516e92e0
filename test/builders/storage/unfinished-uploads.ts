import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import type { BucketAccess } from '../../../adapters/s3/read-object.ts';

/** Keys of the multipart uploads of a bucket that were begun and not ended. */
export async function unfinishedUploadsOf({ client, bucket }: BucketAccess): Promise<string[]> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  return Uploads.flatMap(({ Key }) => Key ?? []);
}
