import { region } from '../aws-names.ts';

/** Options of an SDK client for an emulator, which checks no key. That of S3 needs `s3Credentials`. */
export function clientOptions(endpoint: string) {
  return { endpoint, region, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
}
