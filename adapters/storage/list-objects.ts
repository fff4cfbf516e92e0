import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import { bareEtag, type ListedObject, versionOf, type WatchedBucket } from '../../core/watches/watch.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { describeProviderFailure } from './provider-error.ts';

/** What one of S3's listings says of an object. */
type Entry = {
  Key?: string | undefined;
  VersionId?: string | undefined;
  ETag?: string | undefined;
  Size?: number | undefined;
  LastModified?: Date | undefined;
  IsLatest?: boolean | undefined;
};

/**
 * The objects under a prefix of the whole keys. `hasVersions`: the listing tells versions, which Amazon S3 does and others do
 * not; in a bucket without versions it is that of the objects.
 */
export function listedObjects(
  { client, bucket: Bucket }: BucketAccess,
  { prefix: Prefix, hasVersions }: { prefix: string; hasVersions: boolean },
): Pick<WatchedBucket, 'head' | 'list' | 'read'> {
  // Keys may have characters that XML has not.
  const common = { Bucket, Prefix, EncodingType: 'url' } as const;
  async function* versions(): AsyncGenerator<ListedObject[]> {
    let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
    while (next !== undefined) {
      const page: ListObjectVersionsCommandOutput = await client.send(
        new ListObjectVersionsCommand({ ...common, ...next }),
      );
      const decode = decoderOf(page);
      yield (page.Versions ?? []).map((entry) => toObject(entry, decode));
      const { NextKeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
      next = page.IsTruncated && NextKeyMarker ? { KeyMarker: decode(NextKeyMarker), VersionIdMarker } : undefined;
    }
  }
  async function* objects(): AsyncGenerator<ListedObject[]> {
    let token: string | undefined;
    do {
      const page: ListObjectsV2CommandOutput = await client.send(
        new ListObjectsV2Command({ ...common, ContinuationToken: token }),
      );
      const decode = decoderOf(page);
      yield (page.Contents ?? []).map((entry) => toObject(entry, decode));
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }
  return {
    list: hasVersions ? versions : objects,
    read: async (Key, { start, end }) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range: `bytes=${start}-${end - 1}` }));
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    },
    head: async (key) => {
      try {
        const {
          VersionId,
          ETag = '',
          ContentLength = 0,
        } = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
        return { key, versionId: versionOf(VersionId), etag: bareEtag(ETag), sizeBytes: ContentLength };
      } catch (error) {
        // 403: the object is missing, and listing is allowed for its prefix only.
        if ([403, 404].includes(describeProviderFailure(error)?.status ?? 0)) return undefined;
        throw error;
      }
    },
  };
}

function toObject(
  { Key = '', VersionId, ETag = '', Size = 0, LastModified = new Date(0), IsLatest = true }: Entry,
  decode: (key: string) => string,
): ListedObject {
  return {
    key: decode(Key),
    versionId: versionOf(VersionId),
    etag: bareEtag(ETag),
    sizeBytes: Size,
    storedAt: LastModified,
    isLatest: IsLatest,
  };
}

/** Decodes the keys of a page, unless the server has ignored the requested encoding. It has a plus sign for a space. */
function decoderOf({ EncodingType }: { EncodingType?: string | undefined }): (key: string) => string {
  if (EncodingType !== 'url') return (key) => key;
  return (key) => decodeURIComponent(key.replaceAll('+', ' '));
}
