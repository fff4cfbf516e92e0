import { AppError } from '../../core/errors.ts';
import type { Clock, PlaylistFiles } from '../../core/jobs/ports.ts';
import type { Presign } from './presign.ts';
import { invalidUrlMessage, readSignedUrl } from './read-signed.ts';

export type PlaylistFilesOptions = { bucketUrl: string; presign: Presign; clock: Pick<Clock, 'now'> };

/** Playlists, and the files that they name, in one bucket. */
export function playlistFiles({ bucketUrl, presign, clock }: PlaylistFilesOptions): PlaylistFiles {
  return {
    read({ key, signature }) {
      const query = Object.entries(signature).map((pair) => pair.map(encodeURIComponent).join('='));
      return readSignedUrl(
        `${bucketUrl}/${key.split('/').map(encodeURIComponent).join('/')}?${query.join('&')}`,
      );
    },
    async sign(key, expiresAt) {
      const lifetimeSeconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
      // It was good when the playlist was read.
      if (lifetimeSeconds < 1) throw new AppError('FORBIDDEN', invalidUrlMessage);
      const { url } = await presign({ method: 'GET', key, lifetimeSeconds });
      return url;
    },
  };
}
