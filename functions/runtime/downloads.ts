import { signDownload } from '../../adapters/s3/sign-download.ts';
import type { MediaFiles } from '../../core/jobs/ports.ts';
import { mediaPresigner } from './presigner.ts';

/** Signs the downloads of finished files. */
export function downloadSigner(): MediaFiles['signDownload'] {
  return signDownload(mediaPresigner());
}
