import Hls from 'hls.js';

/**
 * Plays an HLS stream by hls.js. Undefined where the browser has no Media Source Extensions, as an older iPhone: the video
 * element plays it there.
 */
export function attachStream(video: HTMLVideoElement, url: string, onError: () => void): Hls | undefined {
  if (!Hls.isSupported()) return undefined;
  const player = new Hls({ capLevelToPlayerSize: true });
  let hasRecovered = false;
  player.on(Hls.Events.ERROR, (_, { fatal, type }) => {
    if (!fatal) return;
    if (type !== Hls.ErrorTypes.MEDIA_ERROR || hasRecovered) return onError();
    hasRecovered = true;
    player.recoverMediaError();
  });
  player.loadSource(url);
  player.attachMedia(video);
  return player;
}
