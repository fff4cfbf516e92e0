import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { type Batch, type BatchRef, batchPrefix, type LineFailure, manifestKey } from '../../core/batches/batch.ts';
import { type BucketAccess, openObject } from './read-object.ts';

/** The manifests of batches and their reports, in the media bucket. Its lifecycle removes them after 30 days. */
export function batchFiles({ client, bucket }: BucketAccess, newId: () => string) {
  const read = async (key: string): Promise<Buffer> => {
    const { body } = await openObject({ client, bucket }, { key }, new AbortController().signal);
    return buffer(body);
  };
  return {
    /** Stores a manifest that was downloaded; returns the number of its lines that are not blank. */
    async storeManifest(batch: BatchRef, path: string): Promise<number> {
      const file = await open(path);
      let lines = 0;
      for await (const line of file.readLines()) lines += line.trim() === '' ? 0 : 1;
      const Body = createReadStream(path);
      const { size: ContentLength } = await stat(path);
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: manifestKey(batch), Body, ContentLength }));
      return lines;
    },
    async readManifest(batch: BatchRef, { start, end }: { start: number; end: number }): Promise<Buffer> {
      const Range = `bytes=${start}-${end - 1}`;
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: manifestKey(batch), Range }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    /** S3 cannot append to an object: the report of a batch gets a new one, whose key the next write of the batch has. */
    async appendReport(batch: Batch, failures: readonly LineFailure[]): Promise<string> {
      const { reportKey } = batch;
      const before = reportKey === undefined ? Buffer.alloc(0) : await read(reportKey);
      const lines = failures.map((failure) => `${JSON.stringify(failure)}\n`).join('');
      const Key = `${batchPrefix(batch)}report-${newId()}.jsonl`;
      const Body = Buffer.concat([before, Buffer.from(lines)]);
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType: 'application/jsonl' }));
      return Key;
    },
  };
}
