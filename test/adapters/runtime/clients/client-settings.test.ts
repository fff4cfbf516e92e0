import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientSettings, transferSettings } from '../../../../adapters/runtime/clients/client-settings.ts';
import { awsFailureOf } from '../../../../core/net/aws-failure.ts';

const requests: string[] = [];

/** A server that accepts every connection and sends half a file. */
const halting = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (request) => {
    requests.push(String(request).toLowerCase());
    if (String(request).startsWith('GET')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha');
  });
});

beforeAll(async () => {
  await once(halting.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => halting.close());

const reached = () => ({
  region: 'eu-central-1',
  endpoint: `http://127.0.0.1:${(halting.address() as AddressInfo).port}`,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});

describe('an AWS client', () => {
  it('times out a request without a response', async () => {
    const requestHandler = { ...clientSettings.requestHandler, socketTimeout: 50 };
    const client = new DynamoDBClient({ ...clientSettings, ...reached(), requestHandler });
    const call = client.send(new ListTablesCommand({}));
    await expect(call).rejects.toThrow('50 ms of inactivity');
    await expect(call).rejects.toSatisfy((error) => awsFailureOf(error)?.kind === 'outage');
    client.destroy();
  });

  it('times out a transfer that stalls', async () => {
    const requestHandler = { ...transferSettings.requestHandler, socketTimeout: 50 };
    const client = new S3Client({ ...transferSettings, ...reached(), requestHandler, forcePathStyle: true });
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'media', Key: 'video' }));
    await expect(buffer(Body as Readable)).rejects.toThrow('50 ms of inactivity');
    client.destroy();
  });

  it('does not verify the checksum of a download', async () => {
    const client = new S3Client({ ...transferSettings, ...reached(), forcePathStyle: true });
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'media', Key: 'unchecked' }));
    (Body as Readable).destroy();
    client.destroy();
    expect(requests.find((request) => request.startsWith('get /media/unchecked'))).toBeDefined();
    expect(requests.join()).not.toContain('x-amz-checksum-mode');
  });
});
