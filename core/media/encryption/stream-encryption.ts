import { createHash } from 'node:crypto';

/** How the files of an adaptive stream are encrypted, as its request says. The content key is not part of it. */
export type StreamEncryption = WholeSegments | ({ scheme: 'cbcs' } & Partial<SampleVector> & KeyLocation);

/** The same as the manifests state it. */
export type StatedEncryption = WholeSegments | ({ scheme: 'cbcs' } & SampleVector & KeyLocation);

type WholeSegments = KeyLocation & {
  scheme: 'aes-128';
  /** Without it, the vector of each segment is its media sequence number. */
  iv?: string | undefined;
};

/** 32 hexadecimal digits each. */
type SampleVector = { iv: string; keyId: string };

type KeyLocation = {
  /** Where players load the content key. This service never opens it. */
  keyUri: string;
};

/**
 * The encryption with the values that a request may leave out. By `cbcs` all samples have one vector, which must differ
 * between streams of one key, and the key has an id.
 * @param jobId the job that the content key was given for, a UUID
 */
export function statedEncryption(encryption: StreamEncryption, jobId: string): StatedEncryption {
  if (encryption.scheme === 'aes-128') return encryption;
  const { scheme, keyUri, keyId = jobId.replaceAll('-', ''), iv = vectorOf(jobId) } = encryption;
  return { scheme, keyUri, keyId, iv };
}

function vectorOf(jobId: string): string {
  return createHash('sha256').update(`cbcs ${jobId}`).digest('hex').slice(0, 32);
}
