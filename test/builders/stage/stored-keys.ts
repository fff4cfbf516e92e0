import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ListBucketsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import { aForeignClient } from '../storage/foreign-servers.ts';
import type { RunningStage } from './running-stage.ts';

// The file name of an object in s3rver's directory.
const objectFile = /^[^/]+\/(.+)\._S3rver_object$/;

/** The sorted keys of all objects in a stage's buckets that contain this text; read from its disk, or from the other server. */
export async function storedKeys(
  { dataDirectory }: Pick<RunningStage, 'dataDirectory'>,
  text: string,
): Promise<string[]> {
  const s3 = inject('s3');
  if (s3) return (await foreignKeysOf(s3.endpoint)).filter((key) => key.includes(text)).sort();
  const files = await readdir(join(dataDirectory, 's3'), { recursive: true });
  const keys = files.flatMap((file) => objectFile.exec(file)?.[1] ?? []);
  return keys.filter((key) => key.includes(text)).sort();
}

async function foreignKeysOf(endpoint: string): Promise<string[]> {
  const client = await aForeignClient({ endpoint }, []);
  const { Buckets = [] } = await client.send(new ListBucketsCommand());
  const lists = Buckets.map(({ Name: Bucket }) => client.send(new ListObjectsV2Command({ Bucket })));
  return (await Promise.all(lists)).flatMap(({ Contents = [] }) => Contents.flatMap(({ Key }) => Key ?? []));
}
