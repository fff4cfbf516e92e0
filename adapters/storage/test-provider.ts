import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { underPrefix } from '../../core/storage/object-key.ts';
import type { ProviderTestStep, StorageProvider, TestResult } from '../../core/storage/provider.ts';
import { mayUse } from '../../core/storage/stage-bucket.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { md5Of } from './provider-client.ts';
import { describeProviderFailure } from './provider-error.ts';

const maxMs = 15_000;
/** For the removal after a failed step, so that the whole test ends before its function does. */
const maxRemovalMs = 3_000;
const content = 'media-jobs test\n';

/** The provider answered without an error, but wrongly. The message completes "Read failed: ". */
class WrongAnswerError extends Error {}

/**
 * Writes, reads, lists and removes one small object; lists a bucket that jobs may only read. The first step that fails is the result. Once written, the object is
 * removed in any case.
 *
 * @param open resolves the credentials too, whose errors are results as well
 */
export async function testProvider(provider: StorageProvider, open: () => Promise<BucketAccess>): Promise<TestResult> {
  const abortSignal = AbortSignal.timeout(maxMs);
  const key = underPrefix(`media-jobs-test-${randomUUID()}.txt`, provider.prefix);
  let step: ProviderTestStep = 'Access';
  try {
    const { client, bucket: Bucket } = await open();
    const remove = (signal: AbortSignal) =>
      client.send(new DeleteObjectCommand({ Bucket, Key: key }), { abortSignal: signal });
    const list = (Prefix: string | undefined) =>
      client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }), { abortSignal });
    if (!mayUse(provider, 'write')) {
      step = 'List';
      await list(provider.prefix && underPrefix('', provider.prefix));
      return { ok: true, message: 'The bucket was listed. Jobs may read it only.' };
    }
    step = 'Write';
    const object = { Bucket, Key: key, Body: content, ContentMD5: md5Of(content), ContentType: 'text/plain' };
    await client.send(new PutObjectCommand(object), { abortSignal });
    try {
      step = 'Read';
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }), { abortSignal });
      const read = await readText(Body, content.length);
      if (read !== content) throw new WrongAnswerError('the provider returned other bytes');
      step = 'List';
      const listing = await list(key);
      if (!listing.Contents?.some(({ Key }) => Key === key)) {
        throw new WrongAnswerError('the object is not in the list of the bucket');
      }
    } catch (error) {
      await remove(AbortSignal.timeout(maxRemovalMs)).catch(() => undefined);
      throw error;
    }
    step = 'Removal';
    await remove(abortSignal);
    return { ok: true, message: 'One object was written, read, listed and removed.' };
  } catch (error) {
    if (abortSignal.aborted) {
      return { ok: false, message: `${step} failed: the provider did not answer within ${maxMs / 1000} s.` };
    }
    const known = error instanceof WrongAnswerError ? error.message : describeProviderFailure(error)?.reason;
    return { ok: false, message: `${step} failed: ${known ?? 'an unknown error'}.` };
  }
}

/** Reads a body until it exceeds `maxBytes`: a provider may send anything. */
async function readText(body: unknown, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(chunks).toString();
}
