import {
  type ClearFile,
  type EncryptedLayout,
  encryptedLayout,
  encryptSegments,
  type SegmentCipher,
} from '../../core/media/encryption/aes-128.ts';
import { protectFile, type SampleCipher } from '../../core/media/encryption/cbcs/protect-file.ts';
import {
  type StatedEncryption,
  type StreamEncryption,
  statedEncryption,
} from '../../core/media/encryption/stream-encryption.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import type { FragmentedFile } from '../../core/media/fragments/fragmented-file.ts';
import type { Segment } from '../../core/media/playlists/segment-rates.ts';
import type { StoreResultDeps, WorkerContext } from './worker-deps.ts';

export type StreamCipher = ({ scheme: 'aes-128' } & SegmentCipher) | ({ scheme: 'cbcs' } & SampleCipher);

/** The structure of a media file, and the ranges that its playlists name. */
export type MediaLayout = {
  file: FragmentedFile;
  segments: readonly Segment[];
  /** Each fragment up to the end of its keyframe; none of audio. */
  keyframes: readonly Segment[];
};

type ClearMedia = MediaLayout & {
  /** Groups the fragments of a file to segments. */
  segmentsOf(file: FragmentedFile): readonly Segment[];
};

/** Replaces a clear file by its encrypted form; returns its layout then. */
export async function encryptMedia(
  workspace: Workspace,
  path: string,
  { clear, cipher }: { clear: ClearMedia; cipher: StreamCipher },
): Promise<MediaLayout> {
  const { file, segments, keyframes, segmentsOf } = clear;
  if (cipher.scheme === 'aes-128') {
    const whole = { clearBytes: file.initBytes, segments };
    const encrypted = await encryptWhole(workspace, path, { clear: whole, cipher });
    return { file, segments: encrypted.segments, keyframes: keyframes.map(encrypted.rangeOf) };
  }
  await using open = await workspace.openFile(path);
  const encrypted = await protectFile(open.readAt, file, cipher);
  await workspace.replaceFile(path, encrypted.bytes());
  return {
    file: encrypted.file,
    segments: segmentsOf(encrypted.file),
    keyframes: keyframes.map(({ sizeBytes, seconds }, number) => ({
      offset: encrypted.file.fragments[number]?.offset ?? 0,
      sizeBytes: sizeBytes + (encrypted.addedBytes[number] ?? 0),
      seconds,
    })),
  };
}

/** Replaces a file by one whose segments are encrypted whole; returns how byte ranges map to it. */
export async function encryptWhole(
  workspace: Workspace,
  path: string,
  { clear, cipher }: { clear: ClearFile; cipher: SegmentCipher },
): Promise<EncryptedLayout> {
  await using open = await workspace.openFile(path);
  await workspace.replaceFile(path, encryptSegments(open.readAt, clear, cipher));
  return encryptedLayout(clear);
}

/** What the manifests of a stream state, and its cipher with the content key of its job; neither for a clear stream. */
export async function openEncryption(
  { contentKeys }: Pick<StoreResultDeps, 'contentKeys'>,
  { job: { ownerId, jobId, contentKey } }: Pick<WorkerContext, 'job'>,
  encryption: StreamEncryption | undefined,
): Promise<{ stated?: StatedEncryption; cipher?: StreamCipher }> {
  if (encryption === undefined) return {};
  if (contentKey === undefined) throw new TypeError(`The job ${jobId} has no content key`);
  const key = bytesOf(await contentKeys.decrypt(contentKey.encrypted, { ownerId, jobId: contentKey.jobId }));
  const stated = statedEncryption(encryption, contentKey.jobId);
  return { stated, cipher: cipherOf(stated, key) };
}

function cipherOf(stated: StatedEncryption, key: Uint8Array): StreamCipher {
  const { scheme } = stated;
  if (scheme === 'cbcs') return { scheme, key, iv: bytesOf(stated.iv), keyId: bytesOf(stated.keyId) };
  return { scheme, key, iv: stated.iv === undefined ? undefined : bytesOf(stated.iv) };
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
