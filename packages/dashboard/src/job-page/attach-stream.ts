import type Hls from 'hls.js';
import type { HlsConfig } from 'hls.js';

/**
 * Plays an HLS stream by hls.js, which recovers once from an error of the decoder. Undefined where the browser has no Media
 * Source Extensions, as an older iPhone: the video element plays it there.
 */
export function attachStream(
  Player: typeof Hls,
  video: HTMLVideoElement,
  { url, config, onError }: { url: string; config: Partial<HlsConfig>; onError: () => void },
): Hls | undefined {
  if (!Player.isSupported()) return undefined;
  const player = new Player(config);
  let hasRecovered = false;
  player.on(Player.Events.ERROR, (_, { fatal, type }) => {
    if (!fatal) return;
    if (type !== Player.ErrorTypes.MEDIA_ERROR || hasRecovered) return onError();
    hasRecovered = true;
    player.recoverMediaError();
  });
  player.loadSource(url);
  player.attachMedia(video);
  return player;
}
