import type { MediaFiles } from '../../core/jobs/ports.ts';
import type { Presign } from './presign.ts';

/** Presigns downloads that are saved under a name of their own, whatever their key. */
export function signDownload(presign: Presign): MediaFiles['signDownload'] {
  return ({ key, filename, mimeType }) =>
    presign({
      method: 'GET',
      key,
      query: {
        'response-content-disposition': `attachment; filename="${filename}"`,
        'response-content-type': mimeType,
      },
    });
}
