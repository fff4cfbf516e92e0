import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { clientOptions, emulatorTraffic, s3Credentials, startS3 } from '@media-jobs/local-stage/emulators';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { inject } from 'vitest';
import { aBucket } from './a-bucket.ts';
import { foreignKeys } from './foreign-servers.ts';

/** An S3 server with an empty bucket: the emulator of the local stage until after its use, or the server that TEST_SERVICES names. */
export async function anS3() {
  const foreign = inject('s3');
  if (foreign === undefined) {
    const { endpoint, stop } = await startS3(await aTemporaryFolder(), emulatorTraffic());
    await aBucket(endpoint, 'media');
    afterUse(stop);
    return { ...optionsOf(endpoint, s3Credentials), endpoint, bucket: 'media' };
  }
  const options = optionsOf(foreign.endpoint, foreignKeys);
  const bucket = `media-${randomUUID()}`;
  const client = new S3Client(options);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { ...options, endpoint: foreign.endpoint, bucket };
}

function optionsOf(endpoint: string, credentials: { accessKeyId: string; secretAccessKey: string }) {
  return { ...clientOptions(endpoint), credentials, forcePathStyle: true };
}
