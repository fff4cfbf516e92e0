import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type DoorRequest, type OpenedDoor, openDoor } from '../../adapters/s3/media-door.ts';
import type { Place } from '../../adapters/s3/open-object.ts';
import { aMediaBucket } from './a-media-bucket.ts';

/** An open door to objects of a bucket, by their keys; closes with the test. */
export async function aDoor(
  place: Place,
  objects: DoorRequest['objects'],
  { signal = new AbortController().signal }: Partial<DoorRequest> = {},
): Promise<OpenedDoor> {
  const door = await openDoor(place, { objects, token: randomUUID(), signal });
  onTestFinished(() => door.close());
  return door;
}

/** An open door to files of this disk, stored under their names. */
export async function aDoorTo(files: Readonly<Record<string, string>>): Promise<OpenedDoor> {
  const bucket = await aMediaBucket();
  for (const [name, path] of Object.entries(files)) await bucket.putFile(name, path);
  return aDoor(bucket, Object.fromEntries(Object.keys(files).map((name) => [name, { key: name }])));
}
