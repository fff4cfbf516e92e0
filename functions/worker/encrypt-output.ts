import {
  type ClearFile,
  type EncryptedLayout,
  encryptedLayout,
  encryptSegments,
  type SegmentCipher,
} from '../../core/media/encryption/aes-128.ts';
import type { StreamEncryption } from '../../core/media/encryption/stream-encryption.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import type { StoreResultDeps, WorkerContext } from './worker-deps.ts';

/** Replaces a clear file by its encrypted form; returns how byte ranges map to it. */
export async function encryptOutput(
  workspace: Workspace,
  { path, clear, cipher }: { path: string; clear: ClearFile; cipher: SegmentCipher },
): Promise<EncryptedLayout> {
  await using file = await workspace.openFile(path);
  await workspace.replaceFile(path, encryptSegments(file.readAt, clear, cipher));
  return encryptedLayout(clear);
}

/** The cipher of a stream, with the content key of its job. Undefined for a stream that is not encrypted. */
export async function openCipher(
  { contentKeys }: Pick<StoreResultDeps, 'contentKeys'>,
  { job: { ownerId, jobId, contentKey } }: Pick<WorkerContext, 'job'>,
  encryption: StreamEncryption | undefined,
): Promise<SegmentCipher | undefined> {
  if (encryption === undefined) return undefined;
  if (contentKey === undefined) throw new TypeError(`The job ${jobId} has no content key`);
  const hex = await contentKeys.decrypt(contentKey.encrypted, { ownerId, jobId: contentKey.jobId });
  const { iv } = encryption;
  return { key: Buffer.from(hex, 'hex'), iv: iv === undefined ? undefined : Buffer.from(iv, 'hex') };
}
