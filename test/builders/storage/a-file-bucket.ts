import { bucketFiles } from '../../../adapters/s3/bucket-files.ts';
import { presigner } from '../../../adapters/s3/presign.ts';
import type { FileStorage } from '../../../core/jobs/ports.ts';
import { anS3 } from './an-s3.ts';

/** A bucket of the S3 emulator as the functions that sign URLs of files see it. */
export type FileBucket = {
  bucket: FileStorage;
  /** Stores the files of the output of a job's first attempt, by name; returns the names. */
  store(jobId: string | undefined, files: Record<string, string>): Promise<string[]>;
};

export async function aFileBucket(): Promise<FileBucket> {
  const { endpoint, bucket, credentials } = await anS3();
  const presign = presigner({
    region: 'us-east-1',
    credentials: async () => credentials,
    bucketUrl: `${endpoint}/${bucket}`,
    clock: { now: () => new Date() },
  });
  return {
    bucket: bucketFiles(presign),
    async store(jobId, files) {
      for (const [name, body] of Object.entries(files)) {
        const key = `jobs/${jobId}/1/output/${name}`;
        const { url } = await presign({ method: 'PUT', key, lifetimeSeconds: 600 });
        const { status } = await fetch(url, { method: 'PUT', body });
        if (status !== 200) throw new Error(`The emulator answered ${status} to the upload of ${name}`);
      }
      return Object.keys(files);
    },
  };
}
