import type { Workspace } from '@media-jobs/video/ffmpeg';
import type { StreamEncryption } from '@media-jobs/video/media';
import {
  type ClearFile,
  type EncryptedLayout,
  encryptedLayout,
  encryptSegments,
  type SegmentCipher,
} from '@media-jobs/video/media';
import { contentKeyOf } from '../jobs/content-key.ts';
import type { StoringPorts } from './ports.ts';
import type { WorkerContext } from './worker-context.ts';

/** Replaces a file by one whose segments are encrypted; returns how byte ranges map to it. */
export async function encryptFile(
  workspace: Workspace,
  path: string,
  { clear, cipher }: { clear: ClearFile; cipher: SegmentCipher },
): Promise<EncryptedLayout> {
  await using open = await workspace.openFile(path);
  await workspace.replaceFile(path, encryptSegments(open.readAt, clear, cipher));
  return encryptedLayout(clear);
}

/** The cipher of the stream in a folder, with its content key; undefined for a clear stream. */
export async function openCipher(
  contentKeys: StoringPorts['contentKeys'],
  { ownerId, jobId, contentKey }: WorkerContext['job'],
  { encryption, folder }: { encryption: StreamEncryption | undefined; folder: string | undefined },
): Promise<SegmentCipher | undefined> {
  if (encryption === undefined) return undefined;
  if (contentKey === undefined) throw new TypeError(`The job ${jobId} has no content key`);
  const text = await contentKeys.decrypt(contentKey.encrypted, { ownerId, jobId: contentKey.jobId });
  const key = contentKeyOf(text, folder);
  if (key === undefined) throw new TypeError(`The job ${jobId} has no content key of ${folder}`);
  return { key: bytesOf(key), iv: encryption.iv === undefined ? undefined : bytesOf(encryption.iv) };
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
