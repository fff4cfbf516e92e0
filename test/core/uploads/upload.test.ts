import { describe, expect, it } from 'vitest';
import {
  choosePartSizeBytes,
  formatUploadId,
  maxParts,
  maxSinglePutBytes,
  multipartObjectId,
  parseUploadId,
  parseUploadUrl,
  partsOf,
  uploadInputUrl,
} from '../../../core/uploads/upload.ts';

const objectId = '0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6';

import { equivalentBase64 } from '../../builders/equivalent-base64.ts';

describe('the input URL of an upload', () => {
  it.each([undefined, 'film.mp4', '../../etc/passwd', 'ein Film – 2 (é).mov', '<img src=x>'])(
    'is parsed for any file name: %s',
    (filename) => {
      for (const id of [objectId, multipartObjectId(objectId, 6e9)])
        expect(parseUploadUrl(uploadInputUrl(id, filename))).toEqual({ objectId: id });
    },
  );

  it.each([
    'upload://',
    `upload://${objectId}`,
    `upload://${objectId}/a/b`,
    `upload://${objectId}/?x=1`,
    `upload://../${objectId}/`,
    `upload://${objectId.toUpperCase()}/`,
    `UPLOAD://${objectId}/film.mp4`,
    `https://${objectId}/film.mp4`,
  ])('is undefined for other text: %s', (url) => expect(parseUploadUrl(url)).toBeUndefined());
});

describe('the id of a multipart upload', () => {
  it('contains the upload id of S3', () => {
    const upload = {
      objectId: multipartObjectId(objectId, 6e9),
      sizeBytes: 6e9,
      s3UploadId: 'VXBsb2FkIElEIGZvciA2aWWpbmcncyBteS1tb3ZpZS5tMnRz_a.b-c',
    };
    expect(parseUploadId(formatUploadId(upload))).toEqual(upload);
  });

  it('has one text, also where several decode to the same bytes', () => {
    const uploadId = `${objectId}-7.eA`;
    expect(parseUploadId(uploadId)).toMatchObject({ s3UploadId: 'x' });
    const others = [
      ...equivalentBase64('eA').map((text) => uploadId.slice(0, -2) + text),
      ...['=', '.', '.x', '%'].map((end) => uploadId + end),
    ];
    expect(others).toHaveLength(19);
    for (const other of others) {
      expect(parseUploadId(other)).toBeUndefined();
    }
  });

  it.each([
    ...['', objectId, `${objectId}.`, `${objectId}-7.`, 'x-7.eA', `${objectId}.eA`, `${objectId}-0.eA`],
    ...[`${objectId}--7.eA`, `${objectId}-1e9.eA`, `${objectId}-7.${Buffer.from('a\nb').toString('base64url')}`],
  ])('is undefined for other text: %j', (text) => expect(parseUploadId(text)).toBeUndefined());
});

it.each([maxSinglePutBytes + 1, 20 * 1024 ** 3, maxParts * maxSinglePutBytes])(
  'the part size fits a file of %i bytes',
  (sizeBytes) => {
    const partSizeBytes = choosePartSizeBytes(sizeBytes);
    expect(Math.ceil(sizeBytes / partSizeBytes)).toBeLessThanOrEqual(maxParts);
    expect(partSizeBytes).toBeLessThanOrEqual(maxSinglePutBytes);
    const sizes = partsOf(sizeBytes).map((part) => part.sizeBytes);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(sizeBytes);
    expect(new Set(sizes.slice(0, -1))).toEqual(new Set([partSizeBytes]));
  },
);
