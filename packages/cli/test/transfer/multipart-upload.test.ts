import type { ReceivedRequest } from '@media-jobs/testing/web-server';
import { describe, expect, it } from 'vitest';
import { content, inputUrl, multipart, uploadStage } from '../builders/upload-stage.ts';

const { submitTo, requests, body } = uploadStage();

describe('a multipart upload', () => {
  it('a multipart upload retries a failed part and completes with all parts in order', async () => {
    const isSecondPart = ({ path }: ReceivedRequest) => path.startsWith('/part-2');
    const put = (request: ReceivedRequest, before: number) => (isSecondPart(request) && before === 0 ? 503 : 200);
    const { exitCode, err } = await submitTo({ target: multipart, put });
    expect(exitCode, err).toBe(0);
    const received = ['/part-1', '/part-2', '/part-3'].map((path) => requests(path).at(-1)?.body).join('');
    expect(received === content).toBe(true);
    expect(requests('/part-2')).toHaveLength(2);
    const parts = [1, 2, 3].map((partNumber) => ({ partNumber, etag: `"/part-${partNumber}"` }));
    expect(body('/api/v1/uploads/upload-1/complete')).toEqual({ parts });
    expect(body('/api/v1/jobs').input).toEqual({ url: inputUrl });
  });

  it('an upload backs off while the storage is unavailable', async () => {
    const delays: number[] = [];
    const put = ({ path }: ReceivedRequest) => (path.startsWith('/part-2') ? 503 : 200);
    const sleep = async (milliseconds: number) => void delays.push(milliseconds);
    const { exitCode } = await submitTo({ target: multipart, put }, { sleep });
    expect([exitCode, requests('/part-2').length, delays]).toEqual([5, 5, [1_000, 2_000, 4_000, 8_000]]);
  });

  it.each([
    ['its URLs', 403],
    ['the credentials that signed them', 400],
  ])('a multipart upload that outlives %s continues with new URLs, keeping uploaded parts', async (_, rejection) => {
    const hasExpired = ({ path }: ReceivedRequest) => !path.startsWith('/part-1') && !path.includes('renewed');
    const put = (request: ReceivedRequest) => (hasExpired(request) ? rejection : 200);
    const { exitCode, err } = await submitTo({ target: multipart, put });
    expect(exitCode, err).toBe(0);
    const renewed = requests('/api/v1/uploads/upload-1/parts');
    const partNumbers = renewed.flatMap((request) => JSON.parse(request.body).partNumbers).toSorted();
    expect(partNumbers).toEqual([2, 3]);
    expect(requests('/part-1')).toHaveLength(1);
    expect(body('/api/v1/uploads/upload-1/complete').parts).toHaveLength(3);
  });

  it.each([
    ['the service fails', [503, 503, 201]],
    ['a lost response leaves it complete', [504, 404]],
  ])('a multipart upload is completed again when %s', async (_, statuses) => {
    const complete = (before: number) => statuses[before] ?? 500;
    const { exitCode, err } = await submitTo({ target: multipart, complete });
    expect(exitCode, err).toBe(0);
    expect(requests('/api/v1/uploads/upload-1/complete')).toHaveLength(statuses.length);
    expect(requests('/part-1')).toHaveLength(1);
    expect(body('/api/v1/jobs').input).toEqual({ url: inputUrl });
  });

  it('a multipart upload that does not exist is not submitted', async () => {
    const { exitCode } = await submitTo({ target: multipart, complete: () => 404 });
    expect([exitCode, requests('/api/v1/jobs')]).toEqual([4, []]);
  });

  it('a multipart upload with a part that is rejected under a new URL too is not completed', async () => {
    const put = ({ path }: ReceivedRequest) => (path.startsWith('/part-3') ? 403 : 200);
    const { exitCode } = await submitTo({ target: multipart, put });
    expect([exitCode, requests('/part-3').length]).toEqual([4, 2]);
    expect([requests('/api/v1/uploads/upload-1/complete'), requests('/api/v1/jobs')]).toEqual([[], []]);
  });
});
