import * as z from 'zod';
import { playlistFiles } from '../../adapters/s3/playlist-files.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { getPlaylistContract } from '../../core/api/playlists.ts';
import { readEnv } from '../runtime/env.ts';
import { withCompression } from '../runtime/http/compression.ts';
import { publicRoute } from '../runtime/http/route.ts';
import { mediaBucketUrl, mediaPresigner } from '../runtime/media-urls.ts';
import { getPlaylist } from './app/get-playlist.ts';

const { PUBLIC_URL } = readEnv(z.object({ PUBLIC_URL: z.url() }));

const files = playlistFiles({ bucketUrl: mediaBucketUrl(), presign: mediaPresigner(), clock: systemClock });

// The playlist of a long video has a signed URL for each segment of a few seconds.
export const handler = withCompression(
  publicRoute(getPlaylistContract, getPlaylist({ files, publicUrl: PUBLIC_URL })),
);
